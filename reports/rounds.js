"use strict";
(() => {
  // Without this script the rounds stand one below the other.
  const rounds = [...document.querySelectorAll(".round")];
  const slider = document.getElementById("slider"), all = document.getElementById("all");
  const where = document.getElementById("where");
  let now = 0;

  function show(round) {
    now = Math.max(0, Math.min(rounds.length - 1, round));
    const every = all.getAttribute("aria-pressed") === "true";
    rounds.forEach((section, k) => section.classList.toggle("shown", every || k === now));
    slider.value = now;
    where.textContent = "round " + now + " of " + (rounds.length - 1);
    history.replaceState(null, "", "#" + now); // no id: a link with it opens at the top, slider in sight
    if (every) rounds[now].scrollIntoView();
  }

  function fromHash() {
    const match = /^#(?:round-)?(\d+)$/.exec(location.hash);
    show(match ? Number(match[1]) : 0);
  }

  document.documentElement.classList.add("js");
  document.getElementById("steps").hidden = false;
  document.getElementById("steps").addEventListener("submit", (event) => event.preventDefault());
  slider.addEventListener("input", () => show(Number(slider.value)));
  document.getElementById("back").addEventListener("click", () => show(now - 1));
  document.getElementById("next").addEventListener("click", () => show(now + 1));
  all.addEventListener("click", () => {
    all.setAttribute("aria-pressed", String(all.getAttribute("aria-pressed") !== "true"));
    show(now);
  });
  document.addEventListener("keydown", (event) => {
    if (event.target === slider || event.altKey || event.ctrlKey || event.metaKey) return;
    const to = { ArrowLeft: now - 1, ArrowRight: now + 1, PageUp: now - 1, PageDown: now + 1, Home: 0, End: rounds.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    show(to);
  });
  window.addEventListener("hashchange", fromHash);
  fromHash();
})();
