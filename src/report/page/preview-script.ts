/**
 * What the page of a preview does besides showing itself: it asks for itself again when the server says that files have changed, and
 * moves through time by the slider. Only `main` is replaced, so that place, focus and open parts stay; the page can be read without.
 */
export const previewScript = `
"use strict";
const live = document.getElementById("live");
let turn = 0;
function selectorOf(element) {
  if (!element || element === document.body) return null;
  if (element.id) return "#" + CSS.escape(element.id);
  const href = element.getAttribute("href");
  return href ? 'main a[href="' + CSS.escape(href) + '"]' : null;
}
async function show(address, said) {
  const mine = ++turn;
  let answer;
  try {
    answer = await fetch(address, { redirect: "error" });
  } catch {
    return;
  }
  const text = await answer.text();
  if (mine !== turn) return;
  const next = new DOMParser().parseFromString(text, "text/html");
  const fresh = next.querySelector("main");
  if (!fresh) return;
  const focused = selectorOf(document.activeElement);
  const open = [...document.querySelectorAll("main details[open][id]")].map(({ id }) => id);
  const [left, top] = [scrollX, scrollY];
  document.querySelector("main").replaceWith(document.adoptNode(fresh));
  document.title = next.title;
  for (const id of open) document.getElementById(id)?.setAttribute("open", "");
  start();
  if (focused) document.querySelector(focused)?.focus({ preventScroll: true });
  scrollTo(left, top);
  live.textContent = said;
}
function start() {
  const slider = document.getElementById("moment");
  if (!slider) return;
  const links = [...document.querySelectorAll("#moments a")];
  const label = document.getElementById("moment-label");
  slider.hidden = false;
  slider.addEventListener("input", () => {
    const words = links[slider.valueAsNumber].textContent;
    label.textContent = words;
    slider.setAttribute("aria-valuetext", words);
  });
  slider.addEventListener("change", () => {
    const { href, textContent } = links[slider.valueAsNumber];
    history.replaceState(null, "", href);
    show(href, "Shown: " + textContent);
  });
}
start();
const changes = new EventSource("/changes");
let isLost = false;
changes.addEventListener("change", ({ data }) => show(location.href, data));
changes.addEventListener("open", () => {
  if (isLost) show(location.href, "Connected again.");
  isLost = false;
  document.body.classList.remove("lost");
});
changes.addEventListener("error", () => {
  isLost = true;
  live.textContent = "The preview has stopped: this page is no longer redrawn.";
  document.body.classList.add("lost");
});
`;
