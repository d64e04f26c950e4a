// Links, forms and taps that change one part of a page: the server draws the page anew and the part is taken from it.
export function listenForSwaps() {
  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[data-swap]");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    swap(link.dataset.swap, link.href, { move: link.dataset.swap !== "advice" });
  });
  document.addEventListener("submit", (event) => {
    const form = event.target.closest("form[data-swap]");
    if (!form) return;
    event.preventDefault();
    swap(form.dataset.swap, asAddress(form));
  });
  document.addEventListener("input", (event) => {
    const form = event.target.closest("form[data-as-typed]");
    if (form) swap(form.dataset.swap, asAddress(form));
    if (event.target.dataset.scrub) scrub(event.target);
  });
  addEventListener("popstate", () => location.reload());
}

export async function swap(name, address, { move = true, quiet = false } = {}) {
  const part = document.querySelector(`[data-swap-part=${name}]`);
  const wanted = (part.asked = (part.asked || 0) + 1);
  part.setAttribute("aria-busy", "true");
  try {
    const answer = await fetch(address, { headers: { Accept: "text/html" } });
    if (!answer.ok && quiet) return; // what is shown stays until somebody asks for something else
    if (!answer.ok) throw new Error(answer.statusText);
    const html = await answer.text();
    if (part.asked !== wanted) return; // a later question was asked meanwhile
    const page = new DOMParser().parseFromString(html, "text/html");
    const fresh = page.querySelector(`[data-swap-part=${name}]`);
    put(part, fresh ? fresh.innerHTML : page.body.innerHTML);
    if (move && address !== location.href) history.replaceState(null, "", address);
  } catch {
    if (!quiet) location.assign(address);
  } finally {
    part.removeAttribute("aria-busy");
  }
}

// After a move elsewhere: every part that shows the game is drawn anew, unless somebody types in it.
export function refresh() {
  for (const part of document.querySelectorAll("[data-refresh]")) {
    const typing = part.contains(document.activeElement) && document.activeElement.matches("input:not([type=range]), select");
    if (!typing) swap(part.dataset.swapPart, location.href, { move: false, quiet: true });
  }
}

// Parts that change by themselves are asked for again while somebody looks.
export function keepFresh() {
  for (const part of document.querySelectorAll("[data-every]")) {
    setInterval(() => {
      if (document.visibilityState === "visible") swap(part.dataset.swapPart, location.href, { move: false, quiet: true });
    }, 1000 * Number(part.dataset.every));
  }
}

export function loadParts(root) {
  for (const part of root.querySelectorAll("[data-load]")) swap(part.dataset.swapPart, part.dataset.load, { move: false });
}

export function put(part, html) {
  const held = document.activeElement;
  const key = part.contains(held) ? keyOf(held) : null;
  const scrolled = [...part.querySelectorAll(".board")].map((board) => ({ left: board.scrollLeft, top: board.scrollTop }));
  const typed = [...part.querySelectorAll("[data-person]")].filter((field) => field.value !== field.defaultValue);
  part.innerHTML = html;
  // Who typed names and then takes another number of players need not type them again.
  for (const { dataset, value } of typed) part.querySelectorAll(`[data-person="${CSS.escape(dataset.person)}"]`).forEach((field) => { field.value = value; });
  part.querySelectorAll(".board").forEach((board, i) => { board.placed = scrolled[i]; });
  if (key) {
    const again = [...part.querySelectorAll("a, button, input, [data-tap]")].find((each) => keyOf(each) === key);
    again?.focus({ preventScroll: true });
  }
  loadParts(part);
}

// What a person held before the part was drawn anew is the same thing after it.
function keyOf(held) {
  return held.id || held.dataset.tap || held.dataset.person || held.getAttribute("href");
}

function asAddress(form) {
  const address = new URL(form.getAttribute("action"), location.href);
  address.search = new URLSearchParams(new FormData(form)).toString();
  return address.href;
}

function scrub(slider) {
  const steps = slider.dataset.scrub.split(" ");
  const address = new URL(location.href);
  address.searchParams.set("at", steps[Number(slider.value)]);
  clearTimeout(slider.waiting);
  slider.waiting = setTimeout(() => swap("history", address.href), 60);
}
