// Plots: figures come as JSON from their own address, the library is loaded once and only where a plot is in sight.
// Colours in a figure are CSS variables, so a change of scheme is a change of values.
const OPTIONS = { displayModeBar: false, displaylogo: false, showSendToCloud: false, responsive: true, scrollZoom: false };
let library;
const load = (address) => library ??= new Promise((done, fail) => {
  const script = document.createElement("script");
  script.src = address;
  script.onload = () => done(globalThis.Plotly);
  script.onerror = () => fail(new Error("The plot library could not be loaded."));
  document.head.append(script);
});
const coloured = (value, style) => {
  if (Array.isArray(value)) return value.map((each) => coloured(each, style));
  if (value && typeof value === "object") return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, coloured(each, style)]));
  const named = typeof value === "string" && /^var\((--[a-z0-9-]+)\)$/.exec(value);
  return named ? style.getPropertyValue(named[1]).trim() : value;
};
const draw = (box) => {
  const { data, layout } = coloured(box.figure, getComputedStyle(document.documentElement));
  return box.library.react(box, data, layout, OPTIONS);
};
const start = async (box) => {
  try {
    const [library, answer] = await Promise.all([load(box.dataset.bundle), fetch(box.dataset.plot)]);
    if (!answer.ok) throw new Error("The plot could not be fetched.");
    box.library = library;
    box.figure = await answer.json();
    if (!box.figure.data.length) { box.replaceChildren(); return; }
    box.dataset.ready = "";
    box.replaceChildren();
    await draw(box);
  } catch (fault) {
    const said = document.createElement("p");
    said.className = "failed";
    said.textContent = fault.message + " The table holds the same numbers.";
    box.replaceChildren(said);
  }
};
const boxes = [...document.querySelectorAll("[data-plot]")];
const sight = new IntersectionObserver((seen) => {
  for (const each of seen) if (each.isIntersecting) { sight.unobserve(each.target); start(each.target); }
}, { rootMargin: "400px" });
for (const box of boxes) {
  const waits = document.createElement("p");
  waits.className = "failed";
  waits.textContent = "The plot is being drawn.";
  box.replaceChildren(waits);
  sight.observe(box);
}
const again = () => boxes.filter((box) => box.figure && box.library).forEach(draw);
new MutationObserver(again).observe(document.documentElement, { attributeFilter: ["data-theme"] });
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", again);
