// The picker of two sentences says at once which pairs cannot be: the one that breaks the story comes
// after the one it conflicts with, and a variant that is kept names a state. The server decides.
// Whoever edits a variant wants to keep it: what is not ticked is not saved.
// What the check reports on a story is asked for whenever a field changes.
"use strict";

function tell(part, text) {
  const error = part.querySelector(".error");
  error.textContent = text;
  error.hidden = text === "";
}

function check(part) {
  const [first, second, state] = part.querySelectorAll("select");
  for (const option of second.options) option.disabled = Number(option.value) <= Number(first.value);
  for (const option of first.options) option.disabled = Number(option.value) === first.length - 1;
  const kept = part.querySelector("[name=keep]").checked;
  const apart = Number(first.value) < Number(second.value);
  second.toggleAttribute("aria-invalid", !apart);
  state.required = kept;
  tell(part, !apart ? part.dataset.notAfter : kept && !state.value ? part.dataset.noState : "");
}

for (const part of document.querySelectorAll("fieldset[data-not-after]")) {
  check(part);
  part.addEventListener("change", () => check(part));
  part.addEventListener("input", (event) => {
    if (event.target.name.startsWith("sentence-")) part.querySelector("[name=keep]").checked = true;
  });
}

const form = document.querySelector("form[data-findings]");
let asked = 0;

async function report() {
  const turn = ++asked;
  const body = new URLSearchParams(new FormData(form));
  const answer = await fetch(form.dataset.findings, { method: "POST", body });
  const text = await answer.text();
  if (answer.ok && turn === asked) document.getElementById("findings").innerHTML = text;
}

if (form) form.addEventListener("change", report);
