// The explorer: keeps the game, asks the service, shows what it says.

import { startArbiter } from "./arbiter.js";
import { Board, picture } from "./board.js";
import { kingsOnly, mayStand, mirrored, readFen, sliceOf, squaresOf, swapped, writeFen } from "./position.js";
import { $, Refused, ask, cited, draw, make, news, refusal, tableNamed } from "./service.js";
import { currentLanguage, speak, words } from "./words.js";

const VALUES = ["win", "cursed-win", "draw", "blessed-loss", "loss"];
const RULE_SETS = ["official", "official-won-position", "fmjd64", "classic", "none"];
const VARIANTS = ["russian", "giveaway"];
const TABS = ["position", "arbiter"];
const COUNTERS = ["ratio", "kings", "road"];
const EXAMPLE = "W:WKa1,Kc1,Ke1:BKf8";
const EMPTY = "W:W:B";
const NOBODY = /^[WB]:W:B$/;
const STEP_MILLISECONDS = 900;

// A state is { fen, ratio, kings, road, last }: `last` are the squares of the move that led to it.
const game = { states: [], at: 0, rules: "official", variant: "russian" };
const view = { tab: "position", editing: false, piece: "W", chosen: null, answer: null, line: null, lineProblem: null, lineAt: 0, playing: null, asked: 0 };
const state = () => game.states[game.at];
const position = () => readFen(state().fen) ?? { turn: "W", pieces: new Map() };

/** The question about the state that is shown. Earlier positions since the force ratio changed go along for 1.9.1.7. */
function question() {
  const { fen, ratio, kings, road } = state();
  const parameters = [["fen", fen], ["ratio", ratio], ["kings", kings], ["road", road], ["rules", game.rules], ["variant", game.variant]];
  let first = game.at;
  while (first > 0 && game.states[first].ratio > 0 && game.states[first].played) first--;
  for (const past of game.states.slice(first, game.at)) parameters.push(["history", past.fen]);
  return parameters;
}

// --- The game

function go(at) {
  if (at < 0 || at >= game.states.length) return;
  game.at = at;
  view.chosen = null;
  followLine();
  refresh();
}

/** Adds a state after the one that is shown; what came after it is dropped. */
function enter(next) {
  game.states.splice(game.at + 1, Infinity, next);
  go(game.at + 1);
}

function setPosition(next) {
  dropLine();
  enter({ fen: writeFen(next), ratio: 0, kings: 0, road: 0, last: [], played: false });
}

function play(rated) {
  dropLine();
  const { ratio, kings, road } = rated.counters_after;
  news(`${words().played}: ${rated.move}`);
  enter({ fen: rated.fen_after, ratio, kings, road, last: squaresOf(rated.move), played: true });
}

// --- Asking and showing

async function refresh() {
  const asked = ++view.asked;
  view.answer = null;
  view.failure = null;
  view.choosing = null;
  writeAddress();
  showBoard();
  showControls();
  showSlice();
  const verdict = $("verdict");
  verdict.classList.add("busy");
  const slow = setTimeout(() => { if (asked === view.asked) say("", words().busy); }, 300);
  let shown;
  try {
    if (readFen(state().fen)?.pieces.size === 0) {
      shown = () => say("", words().emptyBoard);
    } else {
      const answer = await ask("/v1/probe", question());
      if (asked === view.asked) {
        view.answer = answer;
        state().fen = answer.fen;
      }
      shown = () => showAnswer(answer);
    }
  } catch (error) {
    if (asked === view.asked) view.failure = error;
    shown = () => showFailure(error);
  }
  clearTimeout(slow);
  if (asked !== view.asked) return;
  verdict.classList.remove("busy");
  $("counter-problem").textContent = "";
  for (const name of COUNTERS) $(name).removeAttribute("aria-invalid");
  shown();
  showBoard();
  showMoves();
  showRemaining();
}

/** Fills the verdict. */
function say(kind, value, distance = "", why = "", warnings = []) {
  const verdict = $("verdict");
  verdict.className = `verdict ${kind}`;
  $("value").textContent = value;
  $("distance").textContent = distance;
  $("why").replaceChildren(...[why].flat());
  $("warnings").replaceChildren(...warnings.map((text) => make("li", { textContent: text })));
}

function sideName(turn) {
  return turn === "W" ? words().White : words().Black;
}

function showAnswer(answer) {
  const w = words();
  const side = sideName(answer.fen[0]);
  let why = "";
  if (answer.over_by === "no-move") why = w.overNoMove(answer.winner === "white" ? w.White : w.Black);
  else if (answer.over_by) why = w.overArticle(cited(answer.over_by, answer.cites));
  else if (answer.value === "cursed-win" || answer.value === "blessed-loss") why = cutBy(answer);
  else if (answer.value === "draw") why = w.noWay;
  let distance = "";
  if (answer.dtc !== null && !answer.over_by) {
    const cursed = answer.value === "cursed-win" || answer.value === "blessed-loss";
    distance = cursed ? w.distanceWithout(answer.dtc) : w.distance(answer.dtc, false);
  }
  say(answer.value, w.value[answer.value](side), distance, why, answer.warnings);
  news(`${$("value").textContent}. ${distance} ${why}`);
}

function cutBy({ cut_by: article, cut_by_cites: cites, cut_by_unknown: unknown }) {
  const w = words();
  if (unknown) return w.cutByUnknown;
  return article ? w.cutBy(cited(article, cites)) : w.cutByNothing;
}

function showFailure(error) {
  const w = words();
  const again = make("button", { type: "button", textContent: w.retry, onclick: refresh });
  if (!(error instanceof Refused)) {
    say("failed", w.failed, w.offline, again);
  } else if (error.problem.code === "NOT_IN_TABLES") {
    say("draw", w.notInTables, w.missing + error.problem.missing_slices.join(", "));
  } else if (error.problem.code === "INVALID_ARGUMENT") {
    const counters = (error.problem.violations ?? []).filter((violation) => COUNTERS.includes(violation.field));
    say("failed", counters.length ? w.badCounters : w.badPosition, refusal(error.problem));
    for (const violation of counters) $(violation.field).setAttribute("aria-invalid", "true");
    $("counter-problem").textContent = counters.length ? refusal({ violations: counters }) : "";
  } else {
    say("failed", w.failed, refusal(error.problem), again);
  }
  news(`${$("value").textContent}. ${$("distance").textContent}`);
}

function moves() {
  return view.answer?.moves ?? [];
}

function showBoard() {
  const { pieces } = position();
  const from = (rated) => squaresOf(rated.move)[0];
  const movable = new Set(view.editing ? [] : moves().map(from));
  const targets = new Set(moves().filter((rated) => from(rated) === view.chosen).map((rated) => squaresOf(rated.move).at(-1)));
  board.show(pieces, { chosen: view.chosen, movable, targets, last: new Set(state().last), editing: view.editing });
}

function showMoves() {
  const w = words();
  const note = $("moves-note");
  const unrated = view.failure?.problem?.code === "NOT_IN_TABLES" ? w.noMovesKnown : "";
  if (moves().length > 0) note.textContent = moves().some((rated) => rated.unknown) ? w.someUnknown : "";
  else note.textContent = view.answer ? w.noMoves : unrated;
  $("moves-card").hidden = moves().length === 0 && !note.textContent;
  $("moves").classList.toggle("choosing", Boolean(view.choosing));
  $("moves").replaceChildren(...moves().map((rated) => {
    const button = make("button", { type: "button", className: rated.value ?? "unrated", onclick: () => play(rated) },
      make("span", { className: "text", textContent: rated.move }),
      make("span", { className: "result", textContent: result(rated) }));
    return make("li", { className: view.choosing?.includes(rated) ? "offered" : "" }, button);
  }));
}

/** The mover's result, or which tables it would take to know it. */
function result({ value, dtc, unknown }) {
  const w = words();
  if (unknown) return unknown.missing_slices ? w.needsTables(unknown.missing_slices.join(", ")) : w.unusableTable(tableNamed(unknown.detail));
  return w.result[value] + (dtc === null ? "" : ` · ${w.inPlies(dtc)}`);
}

function showRemaining() {
  const w = words();
  $("remaining").replaceChildren(...(view.answer?.remaining ?? []).map((remaining) => {
    const left = remaining.plies ?? remaining.own_moves;
    const text = remaining.plies === undefined ? w.leftOwn(left) : w.leftPlies(left);
    const used = { "1.9.1.5": state().road, "1.9.1.6": state().kings }[remaining.article] ?? state().ratio;
    const meter = make("meter", { min: 0, max: Math.max(left + used, 1), value: left, title: text });
    meter.setAttribute("aria-hidden", "true");
    return make("li", {}, make("span", { className: "article", textContent: cited(remaining.article, remaining.cites) }), meter,
      make("span", { textContent: text }));
  }));
}

function showControls() {
  const { turn } = position();
  for (const diagonal of ["main", "other"]) $(`mirror-${diagonal}`).hidden = !kingsOnly(position());
  $("back").disabled = game.at === 0;
  $("forward").disabled = game.at === game.states.length - 1;
  $("fen").value = state().fen;
  $("fen-problem").textContent = "";
  $("fen").removeAttribute("aria-invalid");
  for (const name of COUNTERS) $(name).value = state()[name];
  for (const radio of document.querySelectorAll("[name=turn]")) radio.checked = radio.value === turn;
  $("edit").setAttribute("aria-pressed", String(view.editing));
  $("setup").hidden = !view.editing;
  for (const button of $("palette").children) button.setAttribute("aria-checked", String(button.dataset.piece === view.piece));
  $("rules").value = game.rules;
  $("variant").value = game.variant;
}

// --- The board

function choose(square) {
  if (view.editing) {
    put(square, view.piece && position().pieces.get(square) !== view.piece ? view.piece : "");
    return;
  }
  const from = view.chosen;
  if (from && from !== square && playFromTo(from, square)) return;
  view.choosing = null;
  view.chosen = from === square || !moves().some((rated) => squaresOf(rated.move)[0] === square) ? null : square;
  showBoard();
  showMoves();
}

function playFromTo(from, to) {
  const fitting = moves().filter((rated) => squaresOf(rated.move)[0] === from && squaresOf(rated.move).at(-1) === to);
  if (fitting.length === 0) return false;
  if (fitting.length === 1) {
    play(fitting[0]);
  } else {
    view.choosing = fitting;
    news(words().chooseCapture);
    showMoves();
    $("moves").querySelector(".offered button").focus();
  }
  return true;
}

function drag(from, to) {
  if (!view.editing) {
    if (to && to !== from) playFromTo(from, to);
    return;
  }
  const next = position();
  const piece = next.pieces.get(from);
  if (to === from || (to && !mayStand(piece, to))) return;
  next.pieces.delete(from);
  if (to) next.pieces.set(to, piece);
  setPosition(next);
}

function put(square, piece) {
  const next = position();
  if (piece && !mayStand(piece, square)) return;
  if (piece) next.pieces.set(square, piece);
  else next.pieces.delete(square);
  setPosition(next);
}

const board = new Board($("board"), {
  choose,
  drag,
  mayDrag: (square) => (view.editing ? position().pieces.has(square) : moves().some((rated) => squaresOf(rated.move)[0] === square)),
  remove: (square) => { if (view.editing) put(square, ""); },
});

function fillPalette() {
  $("palette").replaceChildren(...["W", "WK", "B", "BK", ""].map((piece) => {
    const button = make("button", { type: "button", title: words()[piece || "erase"] }, piece ? picture(piece) : "✕");
    button.dataset.piece = piece;
    button.setAttribute("role", "radio");
    button.setAttribute("aria-label", words()[piece || "erase"]);
    button.addEventListener("click", () => { view.piece = piece; showControls(); });
    if (piece) {
      button.addEventListener("pointerdown", (event) => {
        view.piece = piece;
        board.carry(event, null, button.querySelector("svg"), (to) => { if (to) put(to, piece); });
      });
    }
    return button;
  }));
}

// --- The line

function dropLine() {
  stopPlaying();
  view.line = null;
  view.lineProblem = null;
  showLine();
}

async function loadLine() {
  dropLine();
  const asked = view.asked;
  try {
    const { line, unknown } = await ask("/v1/line", question());
    if (asked !== view.asked) return;
    view.line = line;
    view.lineProblem = unknown;
    view.lineAt = 0;
    // The line is walked as part of the game, so that taking back works in it as well.
    game.states.splice(game.at + 1, Infinity, ...line.slice(1).map(({ fen, ratio, kings, road, move }) =>
      ({ fen, ratio, kings, road, last: squaresOf(move), played: true })));
    view.lineStart = game.at;
    showControls();
  } catch (error) {
    if (asked !== view.asked) return;
    view.lineProblem = error instanceof Refused ? error.problem : { code: "OFFLINE" };
  }
  showLine();
  if (view.lineProblem) news($("line-end").textContent);
}

function lineTo(at) {
  if (!view.line || at < 0 || at >= view.line.length) return stopPlaying();
  go(view.lineStart + at);
}

/** Marks the ply of the line that is shown. Whoever goes back to before its start leaves the line. */
function followLine() {
  if (!view.line) return;
  view.lineAt = game.at - view.lineStart;
  if (view.lineAt < 0) dropLine();
  else showLine();
}

function stopPlaying() {
  clearInterval(view.playing);
  view.playing = null;
}

function togglePlaying() {
  if (view.playing) {
    stopPlaying();
  } else {
    if (view.lineAt === view.line.length - 1) lineTo(0);
    view.playing = setInterval(() => {
      lineTo(view.lineAt + 1);
      if (view.lineAt === view.line.length - 1) stopPlaying();
      showLine();
    }, STEP_MILLISECONDS);
  }
  showLine();
}

function showLine() {
  const w = words();
  const line = view.line;
  for (const name of ["first", "previous"]) $(`line-${name}`).disabled = !line || view.lineAt === 0;
  for (const name of ["next", "last"]) $(`line-${name}`).disabled = !line || view.lineAt === line.length - 1;
  $("line-play").disabled = !line || line.length < 2;
  $("line-play").textContent = view.playing ? "‖" : "▶";
  $("line-play").setAttribute("aria-label", view.playing ? w.pause : w.play);
  $("line").replaceChildren(...(line ?? []).slice(1).map((step, index) => {
    const here = index + 1 === view.lineAt;
    const button = make("button", { type: "button", textContent: step.move, className: here ? "here" : "", onclick: () => lineTo(index + 1) });
    if (here) button.setAttribute("aria-current", "step");
    if (step.move.includes(":")) button.classList.add("converts");
    return make("li", {}, button);
  }));
  $("line").querySelector(".here")?.scrollIntoView({ block: "nearest" });
  const end = line?.at(-1);
  const over = end?.over_by === "no-move" ? w.overNoMove(end.winner === "white" ? w.White : w.Black) : end?.over_by && w.overArticle(cited(end.over_by, end.cites));
  $("line-end").textContent = view.lineProblem ? w.lineUnknown(noLine(view.lineProblem)) : end ? over || w.lineDraw : "";
}

/** Why the service tells no more of the line. */
function noLine(problem) {
  const w = words();
  if (problem.code === "OFFLINE") return w.offline;
  return problem.code === "NOT_IN_TABLES" ? w.missing + problem.missing_slices.join(", ") : refusal(problem);
}

// --- The slice

async function showSlice() {
  const w = words();
  const slice = sliceOf(position());
  $("slice-name").textContent = slice ?? "";
  const box = $("slice");
  $("slice-card").hidden = !slice;
  if (!slice) return box.replaceChildren();
  const key = [slice, game.rules, game.variant, currentLanguage()].join();
  if (box.dataset.key === key) return;
  box.dataset.key = key;
  try {
    const { slices: [stats] } = await ask("/v1/stats", { slice, rules: game.rules, variant: game.variant, distances: 1 });
    if (box.dataset.key === key) box.replaceChildren(...sliceStats(stats));
  } catch (error) {
    if (box.dataset.key !== key) return;
    const why = !(error instanceof Refused) ? w.offline : error.problem.code === "NOT_IN_TABLES" ? w.noStats : refusal(error.problem);
    box.replaceChildren(make("p", { className: "empty", textContent: why }));
    box.dataset.key = "";
  }
}

function sliceStats(stats) {
  const w = words();
  const number = (n, digits = 0) => n.toLocaleString(currentLanguage(), { minimumFractionDigits: digits, maximumFractionDigits: digits });
  const shares = make("div", { className: "shares" });
  shares.setAttribute("aria-hidden", "true");
  const rows = VALUES.map((value) => [value, stats[value.replace("-", "_")]]).filter(([, count]) => count > 0);
  for (const [value, count] of rows) {
    const share = make("span", { className: value });
    share.style.flexGrow = count;
    shares.append(share);
  }
  const table = make("table", {}, ...rows.map(([value, count]) => make("tr", {},
    make("th", { scope: "row" }, w.result[value]),
    make("td", { className: "number" }, number(count)),
    make("td", { className: "number" }, `${number((100 * count) / stats.positions, 1)} %`))));
  const longest = [["longestWin", stats.longest_win], ["longestLoss", stats.longest_loss]].filter(([, extreme]) => extreme);
  const links = longest.map(([name, { dtc, fen }]) => make("p", {}, `${w[name]}: ${w.inPlies(dtc)} `,
    make("button", { type: "button", textContent: w.show, onclick: () => setPosition(readFen(fen)) })));
  return [make("p", { className: "empty", textContent: `${number(stats.positions)} ${w.positions}` }), shares, table, ...links,
    ...histogram(stats.distances ?? [])];
}

/** Bars of how many positions have which distance: wins upwards, losses downwards, on a scale of logarithms. */
function histogram(distances) {
  const w = words();
  if (distances.length === 0) return [];
  // As wide as it is shown where that is little, so that the numbers can be read.
  const [width, half, foot] = [Math.min(600, $("slice").clientWidth || 600), 90, 18];
  const longest = Math.max(...distances.map(({ dtc }) => dtc));
  const most = Math.log(1 + Math.max(...distances.map(({ positions }) => positions)));
  const step = width / (longest + 1);
  const up = ({ value }) => value === "win" || value === "cursed-win";
  const height = ({ positions }) => Math.max(1, (half * Math.log(1 + positions)) / most);
  const bottom = half + Math.max(0, ...distances.filter((count) => !up(count)).map(height)) + foot;
  const svg = draw("svg", { viewBox: `0 0 ${width} ${bottom}`, class: "histogram", role: "img", "aria-label": w.histogram(longest) });
  // A cursed win has the bar of a win beside it, never on top of it.
  const wide = distances.some(({ value }) => value === "cursed-win" || value === "blessed-loss") ? step / 2 : step;
  for (const count of distances) {
    const { value, dtc, positions } = count;
    const second = value === "cursed-win" || value === "blessed-loss";
    const title = draw("title", {}, `${w.result[value]} · ${w.inPlies(dtc)}: ${positions.toLocaleString(currentLanguage())}`);
    svg.append(draw("rect", { class: value, x: dtc * step + (second ? wide : 0), width: Math.max(wide - 0.5, 0.5), y: up(count) ? half - height(count) : half, height: height(count) }, title));
  }
  svg.append(draw("line", { class: "axis", x1: 0, x2: width, y1: half, y2: half }));
  const gap = [1, 2, 5, 10, 20, 50, 100].find((gap) => (longest + 1) / gap <= width / 50) ?? 200;
  for (let dtc = 0; dtc <= longest; dtc += gap) svg.append(draw("text", { x: (dtc + 0.5) * step, y: bottom - 4, "text-anchor": "middle" }, dtc));
  return [svg, make("p", { className: "empty", textContent: w.histogramNote })];
}

async function showCoverage() {
  try {
    const { variants: [{ rule_sets: sets }] } = await ask("/v1/coverage", { variant: game.variant });
    $("coverage").textContent = words().coverage(sets.find((set) => set.name === game.rules).complete_pieces);
  } catch {
    $("coverage").textContent = "";
  }
}

// --- The tabs

const arbiter = startArbiter({
  variant: () => game.variant,
  explore(state) {
    dropLine();
    enter({ ...state, played: false });
    showTab("position");
    $("tab-position").focus();
  },
});

function showTab(tab) {
  view.tab = tab;
  for (const name of TABS) {
    const here = name === tab;
    $(`${name}-panel`).hidden = !here;
    $(`${name}-keys`).hidden = !here;
    $(`tab-${name}`).setAttribute("aria-selected", String(here));
    $(`tab-${name}`).tabIndex = here ? 0 : -1;
  }
  $("rules-choice").hidden = tab === "arbiter";
  writeAddress();
}

// --- The address and the controls

function writeAddress() {
  if (view.tab === "arbiter") {
    history.replaceState(null, "", `?${new URLSearchParams({ tab: "arbiter", lang: currentLanguage() })}`);
    return;
  }
  const { fen, ratio, kings, road } = state();
  const parameters = new URLSearchParams({ fen });
  for (const [name, value] of Object.entries({ ratio, kings, road })) if (value) parameters.set(name, value);
  if (game.rules !== "official") parameters.set("rules", game.rules);
  if (game.variant !== "russian") parameters.set("variant", game.variant);
  parameters.set("lang", currentLanguage());
  const text = parameters.toString().replaceAll("%3A", ":").replaceAll("%2C", ",");
  history.replaceState(null, "", `?${text}`);
}

/** A counter as it was given: what is no number goes to the service as it is, which says so. */
function counterOf(text) {
  return /^\d{1,10}$/.test(text) ? Number(text) : text;
}

function readAddress() {
  const parameters = new URLSearchParams(location.search);
  const unknown = [];
  for (const [name, known] of [["rules", RULE_SETS], ["variant", VARIANTS]]) {
    const given = parameters.get(name);
    if (known.includes(given)) game[name] = given;
    else if (given !== null) unknown.push(`${name}=${given}`);
  }
  const [ratio, kings, road] = COUNTERS.map((name) => counterOf(parameters.get(name) ?? 0));
  game.states = [{ fen: parameters.get("fen") ?? EXAMPLE, ratio, kings, road, last: [], played: false }];
  return unknown.join(", ");
}

/** Reads the FEN of the link as the service does; gives back why it cannot be read. */
async function readLink() {
  const given = state().fen;
  if (NOBODY.test(given)) return null;
  try {
    state().fen = await asService(given);
  } catch (error) {
    // Without the service there is no verdict either, and trying again asks for both.
    if (error.problem?.code !== "INVALID_ARGUMENT") return null;
    // The counters belong to the position of the link, not to the empty board that stands in for it.
    Object.assign(state(), { fen: EMPTY, ratio: 0, kings: 0, road: 0 });
    return { fen: given, why: words().unreadable(refusal(error.problem)) };
  }
  return null;
}

async function share() {
  writeAddress();
  try {
    await navigator.clipboard.writeText(location.href);
    news(words().linkCopied);
    flash($("share"), words().copied);
  } catch {
    news(words().linkShown);
    flash($("share"), words().linkShown);
  }
}

function flash(button, text) {
  button.textContent = text;
  setTimeout(() => { button.textContent = words()[button.dataset.word]; }, 1500);
}

function fillChoices() {
  const options = (names) => names.map((name) => make("option", { value: name, textContent: words()[name] }));
  $("rules").replaceChildren(...options(RULE_SETS));
  $("variant").replaceChildren(...options(VARIANTS));
  $("counters").replaceChildren(...COUNTERS.flatMap((name) => {
    const input = make("input", { id: name, type: "number", min: 0, max: name === "road" ? 5 : 999, inputMode: "numeric", onchange: takeCounters });
    const label = make("label", { htmlFor: name }, make("span", { className: "article", textContent: words()[`${name}Article`] }), ` — ${words()[name]}`);
    return [input, label];
  }));
}

function takeCounters() {
  dropLine();
  const counters = Object.fromEntries(COUNTERS.map((name) => [name, counterOf($(name).value || 0)]));
  // Where nobody has a man, both counts run together.
  const menless = kingsOnly(position());
  if (menless && counters.ratio !== state().ratio) counters.kings = counters.ratio;
  else if (menless && counters.kings !== state().kings) counters.ratio = counters.kings;
  enter({ ...state(), ...counters, played: false });
}

function toggleEditing() {
  view.editing = !view.editing;
  view.chosen = null;
  showControls();
  showBoard();
}

function changeLanguage(name) {
  speak(name);
  fillChoices();
  fillPalette();
  $("slice").dataset.key = "";
  showCoverage();
  showLine();
  refresh();
  arbiter.refresh();
}

function listen() {
  for (const tab of TABS) $(`tab-${tab}`).addEventListener("click", () => showTab(tab));
  document.querySelector("[role=tablist]").addEventListener("keydown", (event) => {
    if (event.key !== "ArrowLeft" && event.key !== "ArrowRight") return;
    event.stopPropagation();
    showTab(TABS.find((tab) => tab !== view.tab));
    $(`tab-${view.tab}`).focus();
  });
  $("language").addEventListener("click", () => changeLanguage(currentLanguage() === "ru" ? "en" : "ru"));
  $("rules").addEventListener("change", (event) => { game.rules = event.target.value; dropLine(); showCoverage(); refresh(); });
  $("variant").addEventListener("change", (event) => { game.variant = event.target.value; dropLine(); showCoverage(); refresh(); arbiter.refresh(); });
  $("back").addEventListener("click", () => go(game.at - 1));
  $("forward").addEventListener("click", () => go(game.at + 1));
  $("flip").addEventListener("click", flip);
  $("swap").addEventListener("click", () => transform(swapped));
  for (const diagonal of ["main", "other"]) {
    $(`mirror-${diagonal}`).addEventListener("click", () => transform((before) => mirrored(before, diagonal)));
  }
  $("share").addEventListener("click", share);
  $("edit").addEventListener("click", toggleEditing);
  $("clear").addEventListener("click", () => setPosition({ turn: position().turn, pieces: new Map() }));
  for (const radio of document.querySelectorAll("[name=turn]")) {
    radio.addEventListener("change", () => setPosition({ ...position(), turn: radio.value }));
  }
  $("fen-form").addEventListener("submit", (event) => {
    event.preventDefault();
    takeFen($("fen").value);
  });
  $("line-load").addEventListener("click", loadLine);
  $("line-first").addEventListener("click", () => lineTo(0));
  $("line-previous").addEventListener("click", () => lineTo(view.lineAt - 1));
  $("line-next").addEventListener("click", () => lineTo(view.lineAt + 1));
  $("line-last").addEventListener("click", () => lineTo(view.line.length - 1));
  $("line-play").addEventListener("click", togglePlaying);
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, select, textarea, [role=toolbar]")) return;
    const act = view.tab === "arbiter" ? arbiter.keys[event.key] : { ArrowLeft: () => go(game.at - 1), ArrowRight: () => go(game.at + 1), f: flip, e: toggleEditing }[event.key];
    if (!act) return;
    // The page itself is not to be scrolled by a key that steps.
    event.preventDefault();
    act();
  });
}

/** Shows what a symmetry makes of the position. The value is the same, and so are the counters. */
function transform(symmetry) {
  dropLine();
  enter({ ...state(), fen: writeFen(symmetry(position())), last: [], played: false });
}

function flip() {
  board.flip();
  showBoard();
  news(words().turned);
}

/** A FEN as the service writes it: it alone says what a text means, and what is wrong with it. */
async function asService(text) {
  return (await ask("/v1/probe", { fen: text, answer_mask: "fen" })).fen;
}

/** Shows a FEN. */
async function takeFen(text) {
  try {
    setPosition(readFen(await asService(text)));
  } catch (error) {
    const refused = error instanceof Refused && refusal(error.problem);
    const unreadable = error.problem?.code === "INVALID_ARGUMENT" ? words().unreadable(refused) : refused;
    $("fen-problem").textContent = refused ? unreadable : words().offline;
    $("fen").setAttribute("aria-invalid", "true");
    $("fen").focus();
  }
}

async function start() {
  const unknown = readAddress();
  const parameters = new URLSearchParams(location.search);
  const wanted = parameters.get("lang") ?? (navigator.language.startsWith("ru") ? "ru" : "en");
  speak(wanted);
  const unread = await readLink();
  listen();
  showTab(TABS.includes(parameters.get("tab")) ? parameters.get("tab") : "position");
  changeLanguage(wanted);
  if (unread) {
    $("fen").value = unread.fen;
    $("fen-problem").textContent = unread.why;
    $("fen").setAttribute("aria-invalid", "true");
  }
  if (unknown) $("fen-problem").textContent = [$("fen-problem").textContent, words().unknownInLink(unknown)].filter(Boolean).join(" ");
}

start();
