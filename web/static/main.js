// Starts what a page needs; every page loads this one module and what it imports.
import { followStream } from "./live.js";
import { listenForTaps } from "./board.js";
import { listenForChanges } from "./send.js";
import { listenForSwaps, loadParts } from "./swap.js";

listenForTaps();
listenForChanges();
listenForSwaps();
loadParts(document);
followStream();
