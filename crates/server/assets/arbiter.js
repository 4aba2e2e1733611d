// The arbiter's tab: takes a game, has it judged, and steps through it.

import { Board } from "./board.js";
import { claims } from "./claims.js";
import { readFen, squaresOf } from "./position.js";
import { $, Refused, draw, make, news, post, refusal } from "./service.js";
import { showPly, showVerdict } from "./verdict.js";
import { currentLanguage, words } from "./words.js";

const START = "W:Wa1,c1,e1,g1,b2,d2,f2,h2,a3,c3,e3,g3:Bb6,d6,f6,h6,a7,c7,e7,g7,b8,d8,f8,h8";
const EXAMPLE = `[White "A"]
[Black "B"]
[Result "1-1"]
[FEN "W:Wa1,f4,Kb6:BKh8"]

1. f4-g5 h8-g7 2. g5-h6 g7-e5 3. b6-g1 e5-c3 4. g1-h2 c3-d4 5. h2-g3 1-1`;

// What was asked and answered; `at` is the ply that is shown, `count` tells the newest question from older ones.
const court = { asked: null, answer: null, at: 0, count: 0 };

const board = new Board($("arbiter-board"), { choose() {}, drag() {}, mayDrag: () => false, remove() {} });
const decisions = claims(() => court);
const timeline = () => court.answer?.timeline ?? [];

// --- Asking

/** Has the text judged. `at` is the ply to show then. */
async function judge(pdn, game = 1, at = 0) {
  const w = words();
  if (!pdn.trim()) {
    court.asked = null;
    court.answer = null;
    tell("", w.noGame, null, w.pasteFirst);
    $("game-form").open = true;
    $("pdn").focus();
    return showAll();
  }
  const count = ++court.count;
  court.asked = { pdn, game, variant: court.variant() };
  const slow = setTimeout(() => { if (count === court.count) tell("", w.judging); }, 300);
  $("arbiter-panel").classList.add("judging");
  try {
    const answer = await post("/v1/arbiter/verify", { ...question(), every_ply: true });
    if (count !== court.count) return;
    court.answer = answer;
    court.at = Math.min(at, Math.max(0, (answer.timeline?.length ?? 1) - 1));
    $("game-form").open = false;
    tell("done", title(answer), answer);
    news(`${title(answer)}. ${w.resultIs[answer.result]}`);
  } catch (error) {
    if (count !== court.count) return;
    court.answer = null;
    $("game-form").open = true;
    if (error instanceof Refused) tell("failed", w.notJudged, null, refusal(error.problem));
    else tell("failed", w.failed, null, w.offline, make("button", { type: "button", textContent: w.retry, onclick: () => judge(pdn, game, at) }));
    news($("arbiter-state").textContent);
  } finally {
    clearTimeout(slow);
    if (count === court.count) $("arbiter-panel").classList.remove("judging");
  }
  decisions.forget();
  showAll();
}

/** What every question about the game has. */
const question = () => ({ ...court.asked, language: currentLanguage() });
court.question = question;

function title(answer) {
  const tag = (name) => answer.tags.find((tag) => tag.name.toLowerCase() === name)?.value;
  const players = [tag("white"), tag("black")];
  return players.some(Boolean) ? players.map((name) => name || "?").join(" – ") : words().gameNumber(answer.game);
}

// --- Showing

/** Fills the head of the verdict. */
function tell(kind, text, answer = null, ...more) {
  const w = words();
  $("arbiter-head").className = `verdict ${kind}`;
  $("arbiter-state").textContent = text;
  const facts = answer ? [w.resultIs[answer.result], w.pliesOf(answer.plies)] : [];
  const event = answer?.tags.filter(({ name, value }) => ["event", "date"].includes(name.toLowerCase()) && value).map(({ value }) => value) ?? [];
  $("arbiter-facts").replaceChildren(...(more.length ? more : [[...facts, ...event].join(" · ")]));
  const error = answer?.error;
  $("arbiter-error").textContent = error ? `${error.message}. ${error.ply > 0 ? w.judgedUpTo(answer.plies) : ""}` : "";
  $("arbiter-warnings").replaceChildren(...(answer?.warnings ?? []).map((text) => make("li", { textContent: text })));
}

function showAll() {
  const { answer } = court;
  const judged = Boolean(answer?.timeline?.length);
  for (const id of ["arbiter-now", "arbiter-result", "arbiter-claim", "arbiter-worth", "steps"]) $(id).hidden = !judged;
  const many = (answer?.games ?? 1) > 1;
  $("game-choice").hidden = !many;
  if (many) {
    $("game").max = answer.games;
    $("game").value = answer.game;
    $("game-count").textContent = words().ofGames(answer.games);
  }
  showVerdict(answer, go);
  showMoves();
  go(court.at);
  decisions.show();
}

/** Shows the game after a ply. */
function go(at) {
  const plies = timeline();
  if (at < 0 || at >= Math.max(1, plies.length)) return;
  court.at = at;
  const facts = plies[at];
  const { pieces } = readFen(facts?.fen ?? START);
  board.show(pieces, { last: new Set(facts?.move ? squaresOf(facts.move) : []) });
  $("ply").max = Math.max(0, plies.length - 1);
  $("ply").value = at;
  for (const name of ["first", "previous"]) $(`arbiter-${name}`).disabled = at === 0;
  for (const name of ["next", "last"]) $(`arbiter-${name}`).disabled = at >= plies.length - 1;
  $("explore").disabled = !facts;
  for (const button of $("arbiter-moves").querySelectorAll("button")) {
    const here = +button.dataset.ply === at;
    button.classList.toggle("here", here);
    if (here) {
      button.setAttribute("aria-current", "step");
      // Only the list is scrolled, never the page.
      const list = $("arbiter-moves");
      list.scrollTop = Math.max(0, button.offsetTop - list.offsetTop - list.clientHeight / 2);
    } else {
      button.removeAttribute("aria-current");
    }
  }
  $("ply-mark")?.setAttribute("d", `M${chart.x(at)} 0V${chart.height}`);
  if (!facts) return;
  showPly(court.answer, at);
  decisions.follow(at);
}

/** Goes to a ply and says so. */
function step(at) {
  go(at);
  if (timeline().length && court.at === at) news(`${$("ply-title").textContent}. ${$("ply-news").textContent}`);
}

function showMoves() {
  const w = words();
  const met = new Map();
  for (const [set, articles] of Object.entries(court.answer?.rules ?? {})) {
    for (const { article, first_met_ply: ply } of articles) met.set(ply, [...(met.get(ply) ?? []), `${article} (${w[set]})`]);
  }
  const first = readFen(timeline()[0]?.fen ?? START).turn === "B" ? 1 : 0;
  $("arbiter-moves").replaceChildren(...timeline().map((facts) => {
    if (facts.ply === 0) return make("li", {}, moveButton(facts, w.beginning, []));
    const number = Math.floor((facts.ply + 1 + first) / 2);
    const numbered = (facts.ply + first) % 2 === 1 ? `${number}. ` : facts.ply === 1 ? `${number}… ` : "";
    const gave = Object.values(facts.sets).find((set) => set.gave_away)?.gave_away;
    const notes = [...(gave ? [w.gaveAway[gave]] : []), ...(met.get(facts.ply) ?? [])];
    const button = moveButton(facts, facts.move, notes);
    if (gave) button.classList.add("gave");
    if (met.has(facts.ply)) button.classList.add("met");
    return make("li", {}, numbered, button);
  }));
  showChart();
}

function moveButton(facts, text, notes) {
  const button = make("button", { type: "button", textContent: text, title: notes.join("; "), onclick: () => step(facts.ply) });
  button.dataset.ply = facts.ply;
  if (notes.length) button.setAttribute("aria-label", `${text}: ${notes.join("; ")}`);
  return button;
}

const chart = { width: 600, height: 90, x: (ply) => (ply * chart.width) / Math.max(1, timeline().length - 1) };

/** The counters over the plies; a click goes to a ply. */
function showChart() {
  const w = words();
  const svg = $("chart");
  const plies = timeline();
  svg.replaceChildren();
  if (plies.length < 2) return;
  const counts = { ratio: (facts) => facts.ratio_plies, kings: (facts) => facts.kings_plies, road: (facts) => facts.sets.official.road_moves };
  const most = Math.max(10, ...plies.map(counts.ratio));
  const line = (count) => plies.map((facts) => `${chart.x(facts.ply)},${chart.height - (count(facts) / most) * chart.height}`).join(" ");
  svg.setAttribute("aria-label", w.chart);
  svg.append(draw("line", { class: "axis", x1: 0, x2: chart.width, y1: chart.height, y2: chart.height }),
    ...Object.entries(counts).map(([name, count]) => draw("polyline", { class: name, points: line(count) })),
    ...Object.values(court.answer.rules).flat().map(({ first_met_ply: ply }) => draw("path", { class: "met", d: `M${chart.x(ply)} 0V${chart.height}` })),
    draw("path", { id: "ply-mark", class: "mark", d: "" }));
  $("chart-key").replaceChildren(...Object.keys(counts).map((name) =>
    make("span", { className: name }, make("b", { textContent: `${w[`${name}Article`]} ` }), w[name])));
}

// --- The controls

/** The text of a file in UTF-8 or, when it is not that, in windows-1251. */
async function read(file) {
  const bytes = await file.arrayBuffer();
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1251").decode(bytes);
  }
}

function flip() {
  board.flip();
  go(court.at);
  news(words().turned);
}

function listen() {
  $("pdn-form").addEventListener("submit", (event) => {
    event.preventDefault();
    judge($("pdn").value);
  });
  $("pdn-example").addEventListener("click", () => {
    $("pdn").value = EXAMPLE;
    judge(EXAMPLE);
  });
  $("pdn-file").addEventListener("change", async (event) => {
    const [file] = event.target.files;
    if (!file) return;
    $("pdn").value = await read(file);
    judge($("pdn").value);
  });
  $("game").addEventListener("change", (event) => judge(court.asked.pdn, Math.max(1, Math.floor(+event.target.value) || 1)));
  $("arbiter-first").addEventListener("click", () => step(0));
  $("arbiter-previous").addEventListener("click", () => step(court.at - 1));
  $("arbiter-next").addEventListener("click", () => step(court.at + 1));
  $("arbiter-last").addEventListener("click", () => step(timeline().length - 1));
  $("arbiter-flip").addEventListener("click", flip);
  $("ply").addEventListener("input", (event) => step(+event.target.value));
  $("chart").addEventListener("click", (event) => {
    const box = $("chart").getBoundingClientRect();
    step(Math.round(((event.clientX - box.left) / box.width) * (timeline().length - 1)));
  });
  $("explore").addEventListener("click", () => {
    const facts = timeline()[court.at];
    const road = Math.max(...Object.values(facts.sets).map((set) => set.road_moves));
    court.explore({ fen: facts.fen, ratio: facts.ratio_plies, kings: facts.kings_plies, road, last: facts.move ? squaresOf(facts.move) : [] });
  });
}

/** Begins; `explore(state)` opens a state in the other tab, `variant()` is what is played. */
export function startArbiter({ explore, variant }) {
  Object.assign(court, { explore, variant });
  listen();
  return {
    /** Shows everything anew in the language of the page and for its variant. */
    refresh() {
      board.layOut();
      decisions.fill();
      if (court.asked) judge(court.asked.pdn, court.asked.game, court.at);
      else {
        tell("", words().noGame, null, words().pasteFirst);
        showAll();
      }
    },
    keys: { ArrowLeft: () => step(court.at - 1), ArrowRight: () => step(court.at + 1), Home: () => step(0), End: () => step(timeline().length - 1), f: flip },
  };
}
