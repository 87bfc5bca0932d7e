/* Puts the name of each target into the header of its part of the form, and says so there when two have the same one. */
(function () {
  "use strict";
  const FIELD = ".tao-targets input[name='_.name']";

  function label(input) {
    const chunk = input.closest(".repeated-chunk");
    const header = chunk && chunk.querySelector(":scope > .repeated-chunk__header");
    if (!header) {
      return null;
    }
    let span = header.querySelector(".tao-target-name");
    if (!span) {
      const type = Array.from(header.childNodes).find((node) => node.nodeType === Node.TEXT_NODE && node.textContent.trim());
      span = document.createElement("strong");
      span.className = "tao-target-name jenkins-!-margin-left-1";
      span.setAttribute("aria-live", "polite");
      header.insertBefore(span, type ? type.nextSibling : null);
    }
    return span;
  }

  function show() {
    const inputs = Array.from(document.querySelectorAll(FIELD)).filter((input) => input.closest(".repeated-chunk"));
    const counts = new Map();
    inputs.forEach((input) => counts.set(input.value.trim(), (counts.get(input.value.trim()) || 0) + 1));
    inputs.forEach((input) => {
      const span = label(input);
      if (span) {
        const name = input.value.trim();
        const taken = name !== "" && counts.get(name) > 1;
        span.textContent = taken ? name + " – " + input.closest(".tao-targets").dataset.taken : name;
        span.classList.toggle("jenkins-!-error-color", taken);
      }
    });
  }

  Behaviour.specify(FIELD, "tao-target-name", 100, function (input) {
    input.addEventListener("input", show);
    show();
  });
})();
