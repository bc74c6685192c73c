// Wide tables scroll by keyboard, too, and the buttons of a block of code are no landmark.
const mark = () => {
  for (const table of document.querySelectorAll(".md-typeset__scrollwrap")) table.tabIndex = 0;
  for (const buttons of document.querySelectorAll(".md-code__nav")) buttons.role = "presentation";
};
new MutationObserver(mark).observe(document.body, { childList: true, subtree: true });
mark();
