// What pages with a picture need: the live one, four corners to drag, and photos that are sent small enough.
import { complain, post } from "./send.js";
import { put } from "./swap.js";

const LONGEST = 2400; // pixels; a table needs no more, and a large photo takes long over the air
const STEP = 0.004;
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
let photo; // the one chosen last, for another try with corners

export function startCamera() {
  document.querySelectorAll("img[data-live]").forEach(keepLive);
  document.querySelectorAll("[data-corners]").forEach(makeDraggable);
  document.addEventListener("change", (event) => event.target.dataset.photo && take(event.target));
  document.addEventListener("click", (event) => {
    if (event.target.closest("[data-photo-again]")) send(photo.input, photo.canvas, cornersOf(document.querySelector("[data-corners]")));
    const asked = event.target.closest("[data-fetch]");
    if (asked) show(asked, () => post(asked.dataset.fetch, asked.dataset.body));
  });
}

// The next picture is asked for when the last one is here, so that a slow network is not flooded.
function keepLive(image) {
  const again = () => setTimeout(() => {
    if (document.visibilityState === "visible") image.src = `${image.dataset.live}?${Date.now()}`;
    else again();
  }, 700);
  image.addEventListener("load", again);
  image.addEventListener("error", again);
  if (image.complete) again();
}

function makeDraggable(picture) {
  const handles = [...picture.querySelectorAll(".corner")];
  if (!handles.length) return;
  const corners = JSON.parse(picture.dataset.corners).map((corner) => corner.map(within));
  const polygon = picture.querySelector("polygon");
  const form = document.querySelector("[name=corners]");
  const draw = () => {
    handles.forEach((handle, i) => { [handle.style.left, handle.style.top] = corners[i].map((share) => `${100 * share}%`); });
    polygon.setAttribute("points", corners.map((corner) => corner.join(",")).join(" "));
    picture.dataset.corners = JSON.stringify(corners);
    if (form) form.value = picture.dataset.corners;
  };
  const move = (i, x, y) => { corners[i] = [x, y].map(within); draw(); };
  handles.forEach((handle, i) => {
    handle.addEventListener("pointerdown", (event) => { handle.setPointerCapture(event.pointerId); event.preventDefault(); handle.focus(); });
    handle.addEventListener("pointermove", (event) => {
      if (!handle.hasPointerCapture(event.pointerId)) return;
      const box = picture.getBoundingClientRect();
      move(i, (event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height);
    });
    handle.addEventListener("keydown", (event) => {
      const way = ARROWS[event.key];
      if (!way) return;
      event.preventDefault();
      const step = event.shiftKey ? 10 * STEP : STEP;
      move(i, corners[i][0] + way[0] * step, corners[i][1] + way[1] * step);
    });
  });
  draw();
}

function within(share) {
  return Math.min(1, Math.max(0, +share.toFixed(4)));
}

function cornersOf(picture) {
  return JSON.parse(picture.dataset.corners).flat().join(",");
}

async function take(input) {
  const file = input.files[0];
  if (!file) return;
  try {
    photo = { input, canvas: await shrunk(file) };
  } catch {
    return complain(document.body.dataset.failed);
  } finally {
    input.value = "";
  }
  send(photo.input, photo.canvas);
}

async function shrunk(file) {
  const bitmap = await createImageBitmap(file);
  const scale = Math.min(1, LONGEST / Math.max(bitmap.width, bitmap.height));
  const canvas = document.createElement("canvas");
  canvas.width = Math.round(bitmap.width * scale);
  canvas.height = Math.round(bitmap.height * scale);
  canvas.getContext("2d").drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  return canvas;
}

async function send(input, canvas, corners) {
  const image = await new Promise((done) => { canvas.toBlob(done, "image/jpeg", 0.9); });
  const address = new URL(input.dataset.photo, location.href);
  if (corners) address.searchParams.set("corners", corners);
  show(input, () => post(address, image, "image/jpeg"), (says) => input.dataset.byCorners !== undefined && offerCorners(canvas, says));
}

// The answer is a part of the page; what was wrong is said, and a photo without markers can be tried with corners.
async function show(from, ask, refused) {
  const part = document.querySelector(`[data-swap-part=${from.dataset.into}]`);
  from.setAttribute("disabled", "");
  part.setAttribute("aria-busy", "true");
  if (part.dataset.working) part.replaceChildren(working(part.dataset.working));
  try {
    const answer = await ask();
    if (answer.ok) { hideCorners(); put(part, await answer.text()); return; }
    const { says, at } = await answer.json();
    put(part, "");
    if (!(at === "camera" && refused?.(says))) complain(says);
  } catch {
    complain(document.body.dataset.failed);
  } finally {
    from.removeAttribute("disabled");
    part.removeAttribute("aria-busy");
  }
}

function working(says) {
  const line = document.createElement("p");
  line.className = "working";
  line.textContent = says;
  return line;
}

function offerCorners(canvas, says) {
  const offer = document.getElementById("by-corners");
  offer.querySelector("img").src = canvas.toDataURL("image/jpeg", 0.8);
  offer.querySelector(".notice span").textContent = says;
  offer.hidden = false;
  return true;
}

function hideCorners() {
  const offer = document.getElementById("by-corners");
  if (offer) offer.hidden = true;
}
