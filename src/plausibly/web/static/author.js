// The picker of two sentences says at once which pairs cannot be: the one that breaks the story comes
// after the one it conflicts with, and a variant that is kept names a state. The server decides.
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
}
