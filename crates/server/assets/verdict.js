// What the arbiter says of a game, as tables and sentences.

import { $, cited, make } from "./service.js";
import { words } from "./words.js";

const ARTICLES = ["1.9.1.3", "1.9.1.4", "1.9.1.5", "1.9.1.6", "1.9.1.7"];
const ORDER = ["official", "official-won-position", "fmjd64", "classic", "none"];

/** The entries of an object by rule set, in the order of the page. */
export const bySet = (object) => Object.entries(object ?? {}).sort(([one], [other]) => ORDER.indexOf(one) - ORDER.indexOf(other));

/** The rule sets that say the same, with what they say. */
export function grouped(object, key = JSON.stringify) {
  const groups = new Map();
  for (const [set, said] of bySet(object)) {
    const name = key(said);
    groups.set(name, { said, sets: [...(groups.get(name)?.sets ?? []), set] });
  }
  return [...groups.values()];
}

export const setNames = (sets) => sets.map((set) => words()[set]).join("; ");

/** A value with its distance, coloured, or that it is not known. */
export function valueText({ value, distance_plies: distance, unknown }) {
  const w = words();
  if (!value) return make("span", { className: "unknown", textContent: w.unknownValue, title: unknown ?? "" });
  const far = distance === null ? "" : ` · ${w.inPlies(distance)}`;
  return make("span", { className: `badge ${value}`, textContent: w.result[value] + far });
}

export function amount(number, unit) {
  return words().amount[unit](number);
}

/** What makes a count up, for checking by hand. */
export function proofText(proof, count) {
  const w = words();
  const moves = (list) => list.map(({ ply, move }) => `${ply}. ${move}`).join("  ");
  const counted = count ? `${amount(count.reached, count.unit)}, ` : "";
  if (proof.by === "range") return `${counted}${w.fromTo(proof.from_ply, proof.to_ply, proof.side)}: ${moves(proof.moves)}`;
  if (proof.by === "occurrences") return `${w.stood(proof.plies.join(", "))}: ${proof.fen}`;
  return `${counted}${w.fromTo(proof.from_ply, proof.to_ply, proof.side)}; ${w.eachBlock}: ${moves(proof.block)}`;
}

/** Each rule under each rule set, how the result fits, where the sets disagree, and the proofs. */
export function showVerdict(answer, go) {
  if (!answer) return;
  const w = words();
  const needsTable = (set, article) =>
    answer.disagreements.find((differ) => differ.article === article)?.findings[set]?.finding === "needs-table";
  const cell = (set, met, article) => {
    const found = met.find((one) => one.article === article);
    if (!found) {
      const unknown = needsTable(set, article);
      return make("td", { textContent: unknown ? "?" : "–", title: unknown ? w.needsTable : w.notMet });
    }
    const label = `${cited(article, found.cites)}: ${w.afterPly(found.first_met_ply)}`;
    const button = make("button", { type: "button", textContent: found.first_met_ply, title: label, onclick: () => go(found.first_met_ply) });
    button.setAttribute("aria-label", label);
    return make("td", { className: "met" }, button);
  };
  $("met").replaceChildren(
    make("caption", { className: "unseen", textContent: w.firstMet }),
    make("thead", {}, make("tr", {}, make("td"), ...ARTICLES.map((article) => {
      const head = make("th", { scope: "col", textContent: article.slice(5), title: w.articles[article] });
      head.setAttribute("aria-label", `${article}, ${w.articles[article]}`);
      return head;
    }))),
    make("tbody", {}, ...bySet(answer.rules).map(([set, met]) => make("tr", {},
      make("th", { scope: "row", textContent: w[set] }), ...ARTICLES.map((article) => cell(set, met, article))))));
  $("fits").replaceChildren(...grouped(answer.fits).map(({ said, sets }) => make("li", { className: `fits-${said.fits}` },
    make("b", { textContent: `${setNames(sets)}: ` }), said.text)));
  $("disagreements-title").hidden = answer.disagreements.length === 0;
  $("disagreements").replaceChildren(...answer.disagreements.map((differ) => make("li", { textContent: named(differ.explanation) })));
  $("readings-title").hidden = answer.readings.length === 0;
  $("readings").replaceChildren(...answer.readings.map(({ article, text }) => make("li", {}, make("b", { textContent: article }), `: ${text}`)));
  $("proofs").replaceChildren(...bySet(answer.rules).map(([set, met]) => {
    const reviews = answer.road_reviews[set] ?? [];
    return make("details", {}, make("summary", { textContent: w[set] }),
      make("ul", {},
        ...met.map((one) => make("li", {}, make("b", { textContent: cited(one.article, one.cites) }), `, ${w.afterPly(one.first_met_ply)}: `,
          proofText(one.proof, one.count), one.later_plies.length ? `; ${w.again(some(one.later_plies))}` : "")),
        ...reviews.map((review) => make("li", { textContent: w.review(review) })),
        ...(met.length + reviews.length ? [] : [make("li", { textContent: w.nothingMet })])));
  }));
}

/** The first few of many plies. */
const some = (plies) => plies.slice(0, 12).join(", ") + (plies.length > 12 ? "…" : "");

/** The rule sets in a sentence of the service by the names of the page. */
function named(text) {
  return text.replace(/\b(official-won-position|official|fmjd64|classic)\b/g, (set) => words()[set]);
}

/** The counters and the values after a ply. */
export function showPly(answer, at) {
  const w = words();
  const facts = answer.timeline[at];
  $("ply-title").textContent = at ? w.plyIs(at, answer.timeline.length - 1, facts.move) : w.beginning;
  const rows = [[w.ratioArticle, w.ratio, facts.ratio_plies], [w.kingsArticle, w.kings, facts.kings_plies], ["1.9.1.7", w.occurrence, facts.occurrence]];
  $("ply-counts").replaceChildren(...rows.map(([article, name, count]) => make("tr", {},
    make("th", { scope: "row" }, make("b", { textContent: article }), ` ${name}`), make("td", { className: "number", textContent: count }))));
  const met = ARTICLES.flatMap((article) => {
    const sets = bySet(answer.rules).filter(([, list]) => list.some((one) => one.article === article && one.first_met_ply === at));
    return sets.length ? [`${article} (${setNames(sets.map(([set]) => set))})`] : [];
  });
  const gave = grouped(facts.sets, (set) => set.gave_away).filter(({ said }) => said.gave_away)
    .map(({ said, sets }) => `${w.gaveAway[said.gave_away]} (${setNames(sets)})`);
  $("ply-news").replaceChildren(...[...(met.length ? [`${w.metHere}: ${met.join(", ")}.`] : []), ...gave.map((text) => `${text}.`)].join(" "));
  const left = (set) => make("ul", { className: "plain" }, ...set.left.map(({ article, left, unit }) =>
    make("li", {}, make("b", { textContent: article }), ` ${amount(left, unit)}`)),
  ...(set.road_review ? [make("li", { textContent: w.review(set.road_review) })] : []));
  // On a narrow screen each cell stands below its set and carries its column's name.
  const column = (cell, name) => { cell.dataset.column = name; return cell; };
  $("ply-sets").replaceChildren(
    make("caption", { className: "unseen", textContent: w.bySets }),
    make("thead", {}, make("tr", {}, make("td"), ...[w.valueNow, w.roadNow, w.leftNow].map((text) => make("th", { scope: "col", textContent: text })))),
    make("tbody", {}, ...bySet(facts.sets).map(([name, set]) => make("tr", {},
      make("th", { scope: "row", textContent: w[name] }), make("td", {}, valueText(set)),
      column(make("td", { className: "number", textContent: set.road_moves }), w.roadNow),
      column(make("td", {}, set.left.length || set.road_review ? left(set) : "–"), w.leftNow)))));
  $("beyond").hidden = Object.values(facts.sets).every((set) => set.value);
}
