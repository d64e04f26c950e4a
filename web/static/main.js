// Starts what a page needs; every page loads this one module and what it imports.
import { followStream } from "./live.js";
import { listenForTaps } from "./board.js";
import { listenForChanges } from "./send.js";
import { keepFresh, listenForSwaps, loadParts } from "./swap.js";

listenForTaps();
listenForChanges();
listenForSwaps();
loadParts(document);
keepFresh();
followStream();
if (document.querySelector("[data-camera]")) import("./camera.js").then((camera) => camera.startCamera());
