// Changes: sent with an id of their own, so that a retry is done once, and answered with the event's number.
const toast = document.getElementById("toast");

export function listenForChanges() {
  document.addEventListener("click", (event) => {
    const button = event.target.closest("button[data-send]");
    if (button && isSure(button)) change(button, JSON.parse(button.dataset.body), button);
    if (event.target.closest("[data-print]")) print();
  });
  document.addEventListener("submit", (event) => {
    const form = event.target.closest("form[data-send]");
    if (!form) return;
    event.preventDefault();
    change(form, bodyOf(form, event.submitter), event.submitter);
  });
}

async function change(from, body, button) {
  if (from.dataset.plain === undefined) body = { ...body, request: newId() };
  button?.setAttribute("disabled", "");
  try {
    const answer = await post(from.dataset.send, JSON.stringify(body));
    if (!answer.ok) return complain((await answer.json()).says);
    if (from.dataset.then) location.assign(from.dataset.then);
  } catch {
    complain(document.body.dataset.failed);
  } finally {
    button?.removeAttribute("disabled");
  }
}

// What cannot be taken back wants a second tap.
function isSure(button) {
  if (!button.dataset.sure || button.dataset.asked) return true;
  button.dataset.asked = "yes";
  button.textContent = button.dataset.sure;
  return false;
}

export async function post(address, body, kind = "application/json", tries = 3) {
  const headers = { "Content-Type": kind, "X-Companion": "1" };
  for (;;) {
    try {
      return await fetch(address, { method: "POST", headers, body });
    } catch (lost) {
      if (--tries === 0) throw lost;
      await new Promise((go) => setTimeout(go, 700));
    }
  }
}

function bodyOf(form, submitter) {
  if (form.dataset.shape === "begin") return beginning(form);
  const body = {};
  for (const field of form.querySelectorAll("input[name], select[name]")) body[field.name] = typed(field);
  if (submitter?.name) body[submitter.name] = typed(submitter);
  return body;
}

function typed(field) {
  if (field.dataset.type === "number") return Number(field.value);
  if (field.dataset.type === "boolean") return field.value === "true";
  if (field.dataset.type === "json") return JSON.parse(field.value);
  return field.value;
}

function beginning(form) {
  const named = [...form.querySelectorAll("[data-person]")];
  const people = named.filter((field) => field.value.trim()).map((field) => [field.dataset.person, field.value.trim()]);
  const chosen = [...form.querySelectorAll("[data-option]")];
  return {
    game: form.elements.game.value,
    players: named.map((field) => field.dataset.person),
    people: Object.fromEntries(people),
    options: Object.fromEntries(chosen.map((field) => [field.dataset.option, field.value])),
    first: form.elements.first?.value || null,
    dealt: form.elements.dealt?.value === "true",
  };
}

// crypto.randomUUID is not there on plain http.
function newId() {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

export function complain(says) {
  toast.textContent = says;
  toast.hidden = false;
  clearTimeout(toast.timer);
  toast.timer = setTimeout(() => { toast.hidden = true; }, 6000);
}
