// The stream: puts the live parts of a page in place and says so when the connection is gone.
import { refresh } from "./swap.js";

const QUIET_MS = 12000; // a beat comes every 5 s; silence for longer means that nobody is there
const stale = document.getElementById("stale");
const say = document.getElementById("say");
const shown = new Map();
let source, timer, number, said, game;

export function followStream() {
  open();
  document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && lost() && open());
  addEventListener("pagehide", () => source.close());
  addEventListener("pageshow", (event) => event.persisted && open());
}

function open() {
  source?.close();
  const tv = document.querySelector("[data-stream=tv]") ? "?tv=1" : "";
  source = new EventSource("/stream" + tv);
  source.onmessage = (message) => { alive(); take(JSON.parse(message.data)); };
  source.addEventListener("beat", alive);
  source.onerror = () => { showStale(); if (source.readyState === EventSource.CLOSED) again(1000); };
  again(QUIET_MS);
}

function again(milliseconds) {
  clearTimeout(timer);
  timer = setTimeout(() => { showStale(); open(); }, milliseconds);
}

function lost() {
  return source.readyState === EventSource.CLOSED || !stale.hidden;
}

function alive() {
  again(QUIET_MS);
  if (stale.hidden) return;
  stale.hidden = true;
  document.body.classList.remove("is-stale");
}

function showStale() {
  stale.textContent = document.body.dataset.stale;
  stale.hidden = false;
  document.body.classList.add("is-stale");
}

function take(told) {
  if (told.built !== document.documentElement.dataset.built) return location.reload();
  if (told.game !== null && document.querySelector("[data-reload-on-game]")) return location.reload();
  for (const [name, html] of Object.entries(told.parts)) put(name, html);
  const another = game !== undefined && told.game !== game;
  if (another && document.querySelector("[data-refresh]")) return location.assign("/"); // the page was about the last game
  const moved = number !== undefined && (told.number !== number || told.game !== game);
  ({ number, game } = told);
  if (moved) refresh();
  if (moved && told.say !== said) say.textContent = told.say;
  said = told.say;
  document.documentElement.dataset.number = number;
}

// A part that did not change stays as it is, and the one in focus gets its focus back.
function put(name, html) {
  if (shown.get(name) === html) return;
  shown.set(name, html);
  for (const part of document.querySelectorAll(`[data-part=${name}]`)) {
    const tap = part.contains(document.activeElement) && document.activeElement.dataset.tap;
    const opened = [...part.querySelectorAll("details")].map((each) => each.open);
    part.innerHTML = html;
    part.querySelectorAll("details").forEach((each, i) => { each.open = opened[i]; });
    if (tap) part.querySelector(`[data-tap="${CSS.escape(tap)}"]`)?.focus();
  }
}
