"use strict";
// Turns the list of turns into a viewer. Without it, the page stays a list.
(() => {
  const root = document.documentElement;
  const find = (id) => document.getElementById(id);
  const turns = [...document.querySelectorAll(".turns > li")];
  const last = turns.length - 1;
  const slider = find("turn");
  const count = find("count");
  const heard = find("heard");
  const cursor = find("cursor");
  const buttons = { first: find("first"), back: find("back"), on: find("on"), last: find("last") };
  let now = -1;

  const numberOf = (hash) => {
    const match = /^#turn-(\d+)$/.exec(hash);
    return match && Number(match[1]) <= last ? Number(match[1]) : null;
  };

  function show(number, { isQuiet = false } = {}) {
    const next = Math.max(0, Math.min(last, number));
    if (next === now) return;
    turns[now]?.classList.remove("now");
    now = next;
    const turn = turns[now];
    turn.classList.add("now");
    const title = turn.querySelector("h2").textContent;
    slider.value = String(now);
    slider.setAttribute("aria-valuetext", title);
    count.textContent = `${now} / ${last}`;
    for (const [name, at] of [["first", 0], ["back", 0], ["on", last], ["last", last]]) {
      buttons[name].setAttribute("aria-disabled", String(now === at));
    }
    if (cursor) {
      const across = Number(cursor.dataset.left) + (Number(cursor.dataset.width) * now) / Math.max(last, 1);
      cursor.setAttribute("x1", across);
      cursor.setAttribute("x2", across);
    }
    if (!isQuiet) {
      const lines = [...turn.querySelectorAll(".turning, .lines li")].map((line) => line.textContent);
      heard.textContent = [title, ...lines].join(". ");
    }
  }

  const step = { first: () => show(0), back: () => show(now - 1), on: () => show(now + 1), last: () => show(last) };
  for (const [name, button] of Object.entries(buttons)) button.addEventListener("click", step[name]);
  slider.addEventListener("input", () => show(Number(slider.value)));

  const keys = { ArrowLeft: "back", ArrowRight: "on", Home: "first", End: "last" };
  document.addEventListener("keydown", (event) => {
    const isOther = event.ctrlKey || event.altKey || event.metaKey || event.shiftKey;
    if (isOther || event.target === slider || !keys[event.key]) return;
    event.preventDefault();
    step[keys[event.key]]();
  });

  let from = null;
  const area = document.querySelector(".turns");
  area.addEventListener("touchstart", (event) => {
    const isBoard = event.touches.length === 1 && event.target.closest(".board");
    from = isBoard ? [event.touches[0].clientX, event.touches[0].clientY] : null;
  }, { passive: true });
  area.addEventListener("touchend", (event) => {
    if (!from) return;
    const touch = event.changedTouches[0];
    const [across, down] = [touch.clientX - from[0], touch.clientY - from[1]];
    from = null;
    if (Math.abs(across) > 40 && Math.abs(across) > 2 * Math.abs(down)) step[across < 0 ? "on" : "back"]();
  }, { passive: true });

  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[href^='#turn-']");
    const number = link && numberOf(link.hash);
    if (number === null || number === undefined) return;
    event.preventDefault();
    show(number);
    const heading = turns[now].querySelector("h2");
    heading.focus({ preventScroll: true });
    turns[now].scrollIntoView({ block: "start" });
  });
  find("chart")?.addEventListener("click", (event) => {
    const box = event.currentTarget.getBoundingClientRect();
    const across = ((event.clientX - box.left) / box.width) * Number(cursor.dataset.across);
    show(Math.round(((across - Number(cursor.dataset.left)) / Number(cursor.dataset.width)) * last));
  });

  const theme = find("theme");
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const isDark = () => (root.dataset.theme ? root.dataset.theme === "dark" : dark.matches);
  const showTheme = () => {
    theme.textContent = isDark() ? "Make it light" : "Make it dark";
  };
  theme.addEventListener("click", () => {
    root.dataset.theme = isDark() ? "light" : "dark";
    showTheme();
  });
  dark.addEventListener("change", showTheme);
  showTheme();

  root.classList.add("viewer");
  for (const hidden of document.querySelectorAll("[data-scripted]")) hidden.hidden = false;
  show(numberOf(location.hash) ?? Number(area.dataset.begin), { isQuiet: true });
})();
