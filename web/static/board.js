// Taps on a board, by finger, mouse or keyboard: each place is a button that leads somewhere.
import { swap } from "./swap.js";

const FINGER = 44; // pixels that a finger needs

export function listenForTaps() {
  document.addEventListener("click", tapped);
  new MutationObserver(fitBoards).observe(document.body, { childList: true, subtree: true });
  addEventListener("resize", fitBoards);
  fitBoards();
  document.addEventListener("keydown", (event) => {
    if ((event.key === "Enter" || event.key === " ") && event.target.dataset?.tap) tapped(event);
  });
}

// A board to choose on grows until a finger meets one place only, and is moved about in its frame. A board to look at
// stays whole: where its places are too small a tap leads to the large one, with that part of it in view.
function fitBoards() {
  for (const board of document.querySelectorAll(".board")) {
    const svg = board.querySelector("svg");
    const place = svg?.querySelector(".tap rect");
    if (!place || (board.fitted === svg && board.fittedTo === board.clientWidth)) continue;
    [board.fitted, board.fittedTo] = [svg, board.clientWidth];
    board.classList.remove("wide", "small");
    svg.style.width = "";
    const needed = FINGER / Math.min(place.width.baseVal.value, place.height.baseVal.value); // pixels a millimetre
    if (svg.getScreenCTM().a >= needed) continue;
    if (board.dataset.tapNear) board.classList.add("small");
    else grow(board, svg, Math.ceil(needed * svg.viewBox.baseVal.width));
  }
}

function grow(board, svg, width) {
  board.classList.add("wide");
  svg.style.width = `${width}px`;
  const near = board.querySelector(`[data-tap="${CSS.escape(board.dataset.near || "")}"], [aria-pressed=true], [data-last]`);
  if (board.placed) board.scrollTo(board.placed);
  else if (near) centre(board, near);
  else board.scrollTo((board.scrollWidth - board.clientWidth) / 2, (board.scrollHeight - board.clientHeight) / 2);
}

function centre(board, place) {
  const [box, at] = [board.getBoundingClientRect(), place.getBoundingClientRect()];
  board.scrollBy(at.left + at.width / 2 - box.left - box.width / 2, at.top + at.height / 2 - box.top - box.height / 2);
}

function tapped(event) {
  const small = event.type === "click" && event.target.closest(".board.small");
  if (small) return location.assign(small.dataset.tapNear.replace("{place}", encodeURIComponent(nearest(small, event))));
  const tap = event.target.closest("[data-tap]");
  const board = tap?.closest(".board");
  if (!board) return;
  event.preventDefault();
  const { tapTo, tapSwap, tapAdd } = board.dataset;
  if (tapAdd) return swap("ask", added(board, tap.dataset.tap));
  const address = tapTo.replace("{place}", encodeURIComponent(tap.dataset.tap));
  if (tapSwap) swap(tapSwap, address);
  else location.assign(address);
}

function nearest(board, event) {
  const away = (place) => {
    const box = place.getBoundingClientRect();
    return Math.hypot(box.left + box.width / 2 - event.clientX, box.top + box.height / 2 - event.clientY);
  };
  return [...board.querySelectorAll("[data-tap]")].reduce((best, each) => (away(each) < away(best) ? each : best)).dataset.tap;
}

// A second tap on a place takes it back.
function added(board, place) {
  const before = board.dataset.tapped.split(" ").filter(Boolean);
  const after = before.includes(place) ? before.filter((each) => each !== place) : [...before, place];
  const address = new URL(board.dataset.tapAdd, location.href);
  for (const each of after) address.searchParams.append("at", each);
  return address.href;
}
