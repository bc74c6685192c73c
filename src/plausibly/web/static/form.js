// What a page does beyond plain HTML: says at once what is not answered yet, hides questions that
// are not asked, keeps half-filled answers over a reload. Everything else, and every check, works
// without it; the server decides.
"use strict";

const form = document.getElementById("form");
const problems = document.getElementById("problems");
const sliders = Array.from(document.querySelectorAll("input[type=range]"));
const fields = Array.from(document.querySelectorAll(".field"));
const PREFIX = "plausibly:";
const PATIENCE = 3000; // milliseconds in which a second click is taken for the same one
let sent = -PATIENCE;

// Sliders ---------------------------------------------------------------------------------------

function atStart(slider) {
  return Number(slider.value) === Number(slider.dataset.start);
}

// The box beside a slider that must be touched: it says that its middle is meant.
function meant(slider) {
  return slider.closest(".question").querySelector(".meant input");
}

function inTheMiddle(slider) {
  if (!atStart(slider)) return false;
  const box = meant(slider);
  return slider.dataset.middle === "refuse" || (box !== null && !box.checked);
}

// Ticking the box puts the slider into the middle.
function mean(event) {
  const slider = event.target.closest(".question").querySelector("input[type=range]");
  if (event.target.checked) slider.value = slider.dataset.start;
  follow(slider);
}

function describe(slider) {
  const labels = JSON.parse(slider.dataset.labels);
  const value = Number(slider.value);
  const start = Number(slider.dataset.start);
  const [low, high] = [Number(slider.min), Number(slider.max)];
  if (labels.length < 2) return slider.value;
  if (value === low) return labels[0];
  if (value === high) return labels[1];
  if (value === start) return start - low === high - start ? slider.dataset.center : slider.value;
  return slider.dataset.between.replace("{label}", () => labels[value < start ? 0 : 1]);
}

function follow(slider) {
  const state = slider.closest(".question").querySelector(".state");
  const undecided = inTheMiddle(slider);
  const text = undecided ? slider.dataset.undecided : describe(slider);
  slider.classList.toggle("undecided", undecided);
  slider.setAttribute("aria-valuetext", text);
  state.textContent = undecided ? text : slider.dataset.chosen.replace("{label}", () => text);
}

// What is wrong ---------------------------------------------------------------------------------

function inputsOf(field) {
  return Array.from(field.querySelectorAll("input, textarea")).filter((input) => !input.disabled);
}

function isAnswered(field) {
  return inputsOf(field).some((input) => {
    if (input.type === "range") return !inTheMiddle(input);
    return input.type === "textarea" ? input.value.trim() !== "" : input.checked;
  });
}

function complain(field, text) {
  const error = field.querySelector(".error");
  const described = field.querySelector("[aria-describedby]");
  error.textContent = text;
  error.hidden = text === "";
  if (text) described.setAttribute("aria-invalid", "true");
  else described.removeAttribute("aria-invalid");
}

// The list is built anew each time, so that it is read out each time.
function listProblems(wrong) {
  const list = document.createElement("ul");
  for (const field of wrong) {
    const link = document.createElement("a");
    link.href = "#" + field.querySelector("[aria-describedby]").id;
    link.textContent = problems.dataset.problem
      .replace("{question}", () => field.dataset.named)
      .replace("{what}", () => field.dataset.unanswered);
    list.appendChild(document.createElement("li")).appendChild(link);
  }
  announce("problems", problems.dataset.heading, list);
}

function announce(name, text, ...more) {
  const box = document.createElement("div");
  box.className = name;
  box.appendChild(document.createElement("p")).textContent = text;
  box.append(...more);
  problems.replaceChildren(box);
}

// An answer settles what was wrong with its question; so does an earlier one after which the
// question is not asked.
function settle(field) {
  if (field.querySelector(".error").hidden) return;
  complain(field, "");
  const id = field.querySelector("[aria-describedby]").id;
  for (const link of problems.querySelectorAll("a")) {
    if (link.hash === "#" + id) link.parentElement.remove();
  }
  if (!problems.querySelector("a")) problems.replaceChildren();
}

// Questions that are not asked ------------------------------------------------------------------

function answerTo(name) {
  const inputs = form.querySelectorAll(`[name="${CSS.escape(name)}"]`);
  return Array.from(inputs)
    .filter((input) => !input.disabled && (input.checked || input.type === "range"))
    .map((input) => input.value)
    .join(";"); // as the server stores several
}

function isSkipped(part) {
  if (!part.dataset.skips) return false;
  const rules = Object.entries(JSON.parse(part.dataset.skips));
  return rules.some(([name, answers]) => answers.includes(answerTo(name)));
}

function ask(part, asked) {
  part.hidden = !asked;
  for (const input of part.querySelectorAll("input, textarea")) input.disabled = !asked;
}

// In the order of the page, since what is asked depends on earlier questions only. A candidate
// that is ruled out is not offered, and where all are there is nothing to ask.
function skip() {
  for (const field of fields) {
    ask(field, !isSkipped(field));
    const options = Array.from(field.querySelectorAll(".option[data-skips]"));
    if (!field.hidden && options.length) {
      for (const option of options) ask(option, !isSkipped(option));
      field.hidden = options.every((option) => option.hidden);
    }
    if (field.hidden) settle(field);
  }
}

// What must come after another answer: what comes before it cannot be chosen, and is told at once.
function order() {
  for (const field of fields.filter((one) => one.dataset.above && !one.hidden)) {
    const least = Number(answerTo(field.dataset.above) || "-Infinity");
    for (const radio of field.querySelectorAll("input[type=radio]")) {
      radio.disabled = Number(radio.value) <= least;
      radio.closest(".option").classList.toggle("closed", radio.disabled);
      if (radio.disabled && radio.checked) {
        radio.checked = false;
        complain(field, field.dataset.below);
      }
    }
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
    const boxed = input.type === "radio" || input.type === "checkbox";
    if (!boxed || input.checked) values.push([input.name, input.value]);
  }
  storage.setItem(PREFIX + form.dataset.draft, JSON.stringify(values));
}

function forgetDrafts(but) {
  if (!storage) return;
  for (const key of Object.keys(storage)) {
    if (key.startsWith(PREFIX) && key !== but) storage.removeItem(key);
  }
}

// A draft says of every field how it was left: a box that it does not name was not ticked.
function takeUpDraft() {
  const kept = storage && storage.getItem(PREFIX + form.dataset.draft);
  if (!kept) return;
  const values = JSON.parse(kept);
  for (const input of form.querySelectorAll("input, textarea")) {
    if (!input.name || input.type === "hidden") continue;
    const mine = values.filter(([name]) => name === input.name).map(([, value]) => value);
    if (["radio", "checkbox"].includes(input.type)) input.checked = mine.includes(input.value);
    else if (mine.length) input.value = mine[0];
  }
}

// Sending ---------------------------------------------------------------------------------------

function send(event) {
  const wrong = fields.filter((one) => !one.hidden && one.dataset.unanswered && !isAnswered(one));
  if (wrong.length) {
    event.preventDefault();
    fields.forEach(settle);
    for (const field of wrong) complain(field, field.dataset.unanswered);
    listProblems(wrong);
    inputsOf(wrong[0])[0]?.focus({ preventScroll: true });
    wrong[0].scrollIntoView({ block: "nearest" });
    return;
  }
  const offline = navigator.onLine === false; // the browser's own page would take this one's place
  // A second click at once is the same one; a later one, as after Stop, sends again.
  const again = performance.now() - sent < PATIENCE;
  if (offline || again) event.preventDefault();
  if (offline) announce("problems offline", problems.dataset.offline);
  else if (!again) sent = performance.now();
}

function take(event) {
  if (event.target.type === "range") {
    if (meant(event.target)) meant(event.target).checked = atStart(event.target);
    follow(event.target);
  } else if (event.target.closest(".meant")) mean(event);
  skip();
  order();
  const field = event.target.closest(".field");
  if (isAnswered(field)) settle(field);
  keepDraft();
}

// A digit picks the option of that number; where options are numbers, the option it names.
function pick(field, digit) {
  const radios = inputsOf(field).filter((input) => input.type === "radio");
  const numbers = radios.some((radio) => /^[0-9]$/.test(radio.value));
  return numbers ? radios.find((radio) => radio.value === digit) : radios[Number(digit) - 1];
}

// Digits answer the question that has the focus, or else the first scale of the page; never while
// a text is being written, and not on a slider whose numbers have more digits than one.
function press(event) {
  if (event.key === "Escape") sent = -PATIENCE; // stops what is on its way
  if (event.ctrlKey || event.metaKey || event.altKey || !/^[0-9]$/.test(event.key)) return;
  const active = document.activeElement;
  if (active && active.tagName === "TEXTAREA") return;
  const scales = "input[type=radio]:enabled, input[type=range]:enabled";
  const field = (active && active.closest(".field"))
    || fields.find((one) => !one.hidden && one.querySelector(scales));
  if (!field) return;
  const slider = inputsOf(field).find((input) => input.type === "range" && !input.disabled);
  if (slider && (slider.max > 9 || event.key < slider.min || event.key > slider.max)) return;
  const chosen = slider || pick(field, event.key);
  if (!chosen) return;
  if (slider) slider.value = event.key; else chosen.checked = true;
  chosen.focus();
  chosen.dispatchEvent(new Event("input", { bubbles: true }));
}

// The slider a page begins with is ready for the keyboard where it can be seen. Below a long text
// it is not: the text is read first, and the keys that scroll must not answer.
function ready() {
  const slider = sliders[0];
  if (problems.firstElementChild || document.querySelector(".feedback")) return; // which come first
  if (!slider || slider !== form.querySelector("input:not([type=hidden]), textarea")) return;
  const seen = slider.getBoundingClientRect();
  if (seen.top >= 0 && seen.bottom <= window.innerHeight) slider.focus({ preventScroll: true });
}

// A link to copy; without the script it can be selected as it stands.
for (const button of navigator.clipboard ? document.querySelectorAll("[data-copy]") : []) {
  button.hidden = false;
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(button.dataset.copy);
    document.getElementById("copied").textContent = button.dataset.copied;
  });
}

// After the last page nothing half-filled is left; the instructions (with a link) are in between.
if (form || !document.querySelector("[data-copy]")) forgetDrafts(form ? PREFIX + form.dataset.draft : "");
if (form) {
  takeUpDraft();
  skip();
  order();
  sliders.forEach(follow);
  for (const slider of sliders.filter(meant)) slider.addEventListener("click", take);
  ready();
  form.addEventListener("submit", send);
  window.addEventListener("online", () => problems.querySelector(".offline")?.remove());
  form.addEventListener("input", take);
  document.addEventListener("keydown", press);
  // A page out of the browser's memory shows what was typed, not what is stored: ask again.
  window.addEventListener("pageshow", (event) => { if (event.persisted) location.reload(); });
}
