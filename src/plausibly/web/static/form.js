// What a page does beyond plain HTML: says at once when a slider is still in the middle, hides
// questions that are not asked, keeps half-filled answers over a reload. Everything else, and
// every check, works without it; the server decides.
"use strict";

const form = document.getElementById("form");
const problems = document.getElementById("problems");
const sliders = Array.from(form.querySelectorAll("input[type=range]"));
const fields = Array.from(form.querySelectorAll(".field"));
const PREFIX = "plausibly:";
let sent = false;

// Sliders ---------------------------------------------------------------------------------------

function inTheMiddle(slider) {
  return slider.dataset.middle === "refuse" && Number(slider.value) === Number(slider.dataset.start);
}

function describe(slider) {
  const labels = JSON.parse(slider.dataset.labels);
  const value = Number(slider.value);
  const middle = Number(slider.dataset.start);
  if (labels.length < 2) return slider.value;
  if (value === middle) return "";
  const label = value < middle ? labels[0] : labels[1];
  const outermost = value === Number(slider.min) || value === Number(slider.max);
  return outermost ? label : slider.dataset.between.replace("{label}", label);
}

function follow(slider) {
  const state = slider.closest(".question").querySelector(".state");
  const undecided = inTheMiddle(slider);
  const text = describe(slider);
  slider.classList.toggle("undecided", undecided);
  slider.setAttribute("aria-valuetext", undecided || !text ? slider.value : text);
  state.textContent = undecided
    ? slider.dataset.undecided
    : text && slider.dataset.chosen.replace("{label}", text);
  if (!undecided) complain(slider, "");
}

function complain(slider, text) {
  const error = document.getElementById(slider.id + "-error");
  error.textContent = text;
  error.hidden = text === "";
  if (text) slider.setAttribute("aria-invalid", "true");
  else slider.removeAttribute("aria-invalid");
  if (!text && !form.querySelector("[aria-invalid]")) problems.hidden = true;
}

// Questions that are not asked ------------------------------------------------------------------

function answersOf(name) {
  const inputs = form.querySelectorAll(`[name="${CSS.escape(name)}"]`);
  return Array.from(inputs)
    .filter((input) => !input.disabled && (input.checked || input.type === "range"))
    .map((input) => input.value);
}

function skip() {
  for (const field of fields) {
    if (!field.dataset.skips) continue;
    const rules = Object.entries(JSON.parse(field.dataset.skips));
    const skipped = rules.some(([name, answers]) =>
      answersOf(name).some((answer) => answers.includes(answer)));
    field.hidden = skipped;
    for (const input of field.querySelectorAll("input, textarea")) input.disabled = skipped;
  }
}

// Half-filled answers ---------------------------------------------------------------------------

const storage = (() => {
  try {
    return window.localStorage;
  } catch {
    return null; // switched off by the person: then nothing is kept
  }
})();

function keepDraft() {
  if (!storage) return;
  const values = [];
  for (const input of form.querySelectorAll("input, textarea")) {
    if (!input.name || input.type === "hidden") continue;
    if (input.type === "radio" || input.type === "checkbox") {
      if (input.checked) values.push([input.name, input.value]);
    } else {
      values.push([input.name, input.value]);
    }
  }
  storage.setItem(PREFIX + form.dataset.draft, JSON.stringify(values));
}

function takeUpDraft() {
  if (!storage) return;
  const mine = PREFIX + form.dataset.draft;
  for (const key of Object.keys(storage)) {
    if (key.startsWith(PREFIX) && key !== mine) storage.removeItem(key);
  }
  const kept = storage.getItem(mine);
  if (!kept) return;
  for (const [name, value] of JSON.parse(kept)) {
    for (const input of form.querySelectorAll(`[name="${CSS.escape(name)}"]`)) {
      if (input.type === "radio" || input.type === "checkbox") {
        if (input.value === value) input.checked = true;
      } else {
        input.value = value;
      }
    }
  }
}

// Sending ---------------------------------------------------------------------------------------

form.addEventListener("submit", (event) => {
  const undecided = sliders.filter((slider) => !slider.disabled && inTheMiddle(slider));
  const needed = undecided.filter((slider) => slider.dataset.required !== "no");
  if (needed.length) {
    event.preventDefault();
    for (const slider of needed) complain(slider, slider.dataset.refused);
    needed[0].focus();
    return;
  }
  if (sent) {
    event.preventDefault(); // a second click while the first is on its way
    return;
  }
  sent = true;
});

// A page taken from the browser's memory may be sent again; the server knows its key.
window.addEventListener("pageshow", () => { sent = false; });

form.addEventListener("input", (event) => {
  if (event.target.type === "range") follow(event.target);
  skip();
  keepDraft();
});

// Digits answer the first scale of the page, except while a text is being written.
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || !/^[0-9]$/.test(event.key)) return;
  if (document.activeElement && document.activeElement.tagName === "TEXTAREA") return;
  const slider = sliders[0];
  if (!slider) return;
  const value = Number(event.key);
  if (value < Number(slider.min) || value > Number(slider.max)) return;
  slider.value = event.key;
  slider.focus();
  slider.dispatchEvent(new Event("input", { bubbles: true }));
});

// The slider a page begins with is ready for the keyboard where it can be seen. Below a long text
// it is not: the text is read first, and the keys that scroll must not answer.
function ready() {
  const slider = sliders[0];
  if (!slider || slider !== form.querySelector("input:not([type=hidden]), textarea")) return;
  const seen = slider.getBoundingClientRect();
  if (seen.top >= 0 && seen.bottom <= window.innerHeight) slider.focus({ preventScroll: true });
}

takeUpDraft();
skip();
sliders.forEach(follow);
ready();
