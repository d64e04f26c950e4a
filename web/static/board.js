// Taps on a board, by finger, mouse or keyboard: each place is a button that leads somewhere.
import { swap } from "./swap.js";

export function listenForTaps() {
  document.addEventListener("click", tapped);
  document.addEventListener("keydown", (event) => {
    if ((event.key === "Enter" || event.key === " ") && event.target.dataset?.tap) tapped(event);
  });
}

function tapped(event) {
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

// A second tap on a place takes it back.
function added(board, place) {
  const before = board.dataset.tapped.split(" ").filter(Boolean);
  const after = before.includes(place) ? before.filter((each) => each !== place) : [...before, place];
  const address = new URL(board.dataset.tapAdd, location.href);
  for (const each of after) address.searchParams.append("at", each);
  return address.href;
}
