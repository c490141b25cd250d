// Map of problems and systems on a canvas. Cells come packed, four a byte; colours are those of the style sheet.
const ROW = 18;
const [FIRST, LATER, UNKNOWN] = [1, 2, 3];
const WORDS = ["not proved", "proved at the attempt ACC#1 counts", "proved by another attempt", "missing or withheld"];
const box = document.querySelector("[data-atlas]");
const canvas = box?.querySelector("canvas");
const say = box?.querySelector(".atlas-say");
const ink = canvas?.getContext("2d");
let map;
let at = { row: 0, column: 0 };

const state = (row, column) => {
  const place = row * map.problems.length + column;
  return (map.bytes[place >> 2] >> (2 * (place & 3))) & 3;
};

// A column of pixels may stand for many problems: its colour is as strong as the share of them that is proved.
const draw = () => {
  const scale = devicePixelRatio || 1;
  const width = Math.max(1, Math.round(canvas.clientWidth * scale));
  const height = Math.round(ROW * scale);
  const style = getComputedStyle(document.documentElement);
  const colour = (name) => style.getPropertyValue(name).trim();
  canvas.width = width;
  canvas.height = height * map.systems.length;
  canvas.style.height = `${ROW * map.systems.length}px`; // beside the names also where paper is of another width
  ink.fillStyle = colour("--page");
  ink.fillRect(0, 0, width, canvas.height);
  const gap = Math.max(1, Math.round(scale));
  const columns = map.problems.length;
  const steps = Math.min(width, columns);
  for (let row = 0; row < map.systems.length; row++) {
    for (let step = 0; step < steps; step++) {
      const from = Math.floor((step * columns) / steps);
      const to = Math.max(from + 1, Math.floor(((step + 1) * columns) / steps));
      const seen = [0, 0, 0, 0];
      for (let column = from; column < to; column++) seen[state(row, column)]++;
      const x = Math.floor((step * width) / steps);
      const wide = Math.floor(((step + 1) * width) / steps) - x;
      const part = (share, name, top, tall) => {
        if (!share) return;
        ink.globalAlpha = share;
        ink.fillStyle = colour(name);
        ink.fillRect(x, row * height + top, wide, tall);
      };
      const all = to - from;
      const tall = height - gap;
      part(seen[UNKNOWN] / all / 2, "--edge", 0, tall);
      part(seen[FIRST] / all, "--proved", 0, tall);
      part(seen[LATER] / all, "--proved", Math.floor(tall / 2), tall - Math.floor(tall / 2));
    }
  }
  ink.globalAlpha = 1;
  if (document.activeElement === canvas) {
    ink.strokeStyle = colour("--accent");
    ink.lineWidth = 2 * scale;
    const wide = width / columns;
    ink.strokeRect(at.column * wide, at.row * height, Math.max(wide, 3 * scale), height - gap);
  }
};

const tell = () => {
  const column = map.problems[at.column];
  say.textContent = `${column} (${map.categories[at.column]}), ${map.systems[at.row]}: ${WORDS[state(at.row, at.column)]}`;
};

const place = (event) => {
  const frame = canvas.getBoundingClientRect();
  const clamp = (value, size) => Math.min(Math.max(Math.floor(value), 0), size - 1);
  at = {
    row: clamp(((event.clientY - frame.top) / frame.height) * map.systems.length, map.systems.length),
    column: clamp(((event.clientX - frame.left) / frame.width) * map.problems.length, map.problems.length),
  };
  tell();
};

const open = () => location.assign(box.dataset.problem + encodeURIComponent(map.problems[at.column]) + "/");

const MOVES = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };
const key = (event) => {
  if (event.key === "Enter") { open(); return; }
  const move = MOVES[event.key];
  if (!move) return;
  event.preventDefault();
  const row = Math.min(Math.max(at.row + move[0], 0), map.systems.length - 1);
  const column = Math.min(Math.max(at.column + move[1], 0), map.problems.length - 1);
  at = { row, column };
  tell();
  draw();
};

const start = async () => {
  try {
    const answer = await fetch(box.dataset.atlas);
    if (!answer.ok) throw new Error("The map could not be fetched.");
    map = await answer.json();
    map.bytes = Uint8Array.from(atob(map.cells), (each) => each.charCodeAt(0));
    box.hidden = false;
    canvas.addEventListener("pointermove", place);
    canvas.addEventListener("click", (event) => { place(event); open(); });
    canvas.addEventListener("keydown", key);
    for (const name of ["focus", "blur"]) canvas.addEventListener(name, draw);
    new ResizeObserver(draw).observe(canvas);
    new MutationObserver(draw).observe(document.documentElement, { attributeFilter: ["data-theme"] });
    for (const media of ["(prefers-color-scheme: dark)", "print"]) matchMedia(media).addEventListener("change", draw);
  } catch (fault) {
    say.textContent = fault.message + " The tables hold its counts.";
    box.hidden = false;
    canvas.hidden = true;
  }
};
if (box) start();
