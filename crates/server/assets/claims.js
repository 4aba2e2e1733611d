// Claims of a draw, and what an unfinished game is worth.

import { $, Refused, make, news, post } from "./service.js";
import { amount, grouped, proofText, setNames, valueText } from "./verdict.js";
import { words } from "./words.js";

const ARTICLES = [7, 1, 2, 3, 4, 5, 6].map((number) => `1.9.1.${number}`);

/** The two forms; `court()` is the game that is judged. */
export function claims(court) {
  // Whether the ply was chosen by hand, so that it no longer follows the board.
  let chosen = false;

  const options = (pairs) => pairs.map(([value, text]) => make("option", { value, textContent: text }));
  const sides = () => [["white", words().White], ["black", words().Black]];

  /** Fills the choices in the language of the page. */
  function fill() {
    const w = words();
    const keep = (id, list) => {
      const { value } = $(id);
      $(id).replaceChildren(...options(list));
      if (list.some(([name]) => name === value)) $(id).value = value;
    };
    keep("claim-article", ARTICLES.map((article) => [article, `${article} — ${w.articles[article]}`]));
    keep("claim-side", sides());
    keep("claim-flag", [["up", w.flagUp], ["fell-before", w.flagBefore], ["fell-during-check", w.flagDuring]]);
    keep("fallen-flag", [["", w.noFlag], ...sides()]);
    const offers = readOffers();
    $("offers").replaceChildren();
    offers.forEach(addOffer);
    showOffers();
  }

  const showOffers = () => { $("offers-box").hidden = $("claim-article").value !== "1.9.1.1"; };

  function addOffer({ side = "white", ply = $("claim-ply").value, clock_started = false, conditional = false, answer = "" } = {}) {
    const w = words();
    const choice = (name, list, value) => {
      const select = make("select", { name }, ...options(list));
      select.value = value ?? "";
      return make("label", {}, w[name], " ", select);
    };
    const tick = (name, checked) => make("label", {}, make("input", { type: "checkbox", name, checked }), ` ${w[name]}`);
    const item = make("li", {},
      choice("offerSide", sides(), side),
      make("label", {}, w.offerPly, " ", make("input", { type: "number", name: "offerPly", min: 0, value: ply, inputMode: "numeric" })),
      choice("offerAnswer", [["", w.noAnswer], ["accepted", w.accepted], ["declined", w.declined]], answer),
      tick("clockStarted", clock_started), tick("conditional", conditional));
    item.append(make("button", { type: "button", textContent: w.remove, onclick: () => item.remove() }));
    $("offers").append(item);
  }

  const readOffers = () => [...$("offers").children].map((item) => {
    const field = (name) => item.querySelector(`[name=${name}]`);
    const answer = field("offerAnswer").value;
    return { side: field("offerSide").value, ply: whole(field("offerPly").value), clock_started: field("clockStarted").checked,
      conditional: field("conditional").checked, ...(answer ? { answer } : {}) };
  });

  const whole = (text) => Math.max(0, Math.floor(+text) || 0);

  async function decide(event) {
    event.preventDefault();
    const article = $("claim-article").value;
    const intended = $("claim-intended").value.trim();
    const claim = {
      article, side: $("claim-side").value, ply: whole($("claim-ply").value), flag: $("claim-flag").value,
      no_record: !$("claim-record").checked, ...(intended ? { intended } : {}),
      ...(article === "1.9.1.1" ? { offers: readOffers() } : {}),
    };
    await answer("claim", $("decision"), { claim }, (body) => body.claim, decisionText);
  }

  async function weigh(event) {
    event.preventDefault();
    const flag = $("fallen-flag").value;
    await answer("adjudicate", $("worth"), flag ? { fallen_flag: flag } : {}, (body) => body.adjudication, worthText);
  }

  /** Asks and shows the answers, those of rule sets that say the same together. */
  async function answer(call, box, more, take, show) {
    const w = words();
    const asked = court().asked;
    box.replaceChildren(make("p", { className: "empty", textContent: w.busy }));
    try {
      const body = await post(`/v1/arbiter/${call}`, { ...court().question(), ...more });
      if (asked !== court().asked) return;
      box.replaceChildren(...grouped(take(body)).map(({ said, sets }) => make("article", { className: "decision" },
        make("h3", { textContent: setNames(sets) }), ...show(said))));
      news([...box.querySelectorAll(".ruling")].map((ruling) => ruling.textContent).join(". "));
    } catch (error) {
      const text = error instanceof Refused ? error.message : w.offline;
      box.replaceChildren(make("p", { className: "problem", role: "alert", textContent: text }));
    }
  }

  const steps = (list) => make("ol", { className: "rulings" }, ...list.map(({ cite, reading, text }) => make("li", {},
    make("b", { textContent: cite }), reading ? make("i", { textContent: ` (${words().reading})` }) : "", ` ${text}`)));

  const paragraph = (name, text) => make("p", {}, make("b", { textContent: `${name}: ` }), text);

  function lineText({ moves, final_fen: fen, over_by: over }) {
    const w = words();
    return `${moves.join(" ")} → ${fen} (${over === "no-move" ? w.noMoveLeft : over ?? "…"})`;
  }

  function decisionText({ verdict, game, steps: taken, proof, line, holding_moves: holding }) {
    const w = words();
    const ruling = `${w.decision[verdict]}; ${w.consequence(game)}`;
    return [make("p", { className: `ruling ${verdict}`, textContent: ruling }), steps(taken),
      ...(proof ? [paragraph(w.proof, proofText(proof))] : []), ...(line ? [paragraph(w.lineIs, lineText(line))] : []),
      ...(holding?.length ? [paragraph(w.holding, holding.join(" "))] : [])];
  }

  function worthText({ to_move: side, value, ended, won_by_flag: flag, left, occurrence, repeating_moves: repeating, win_needs: needs, facts, fen, road_reviews: reviews = [] }) {
    const w = words();
    const parts = [make("p", { className: "ruling" }, valueText(value), ` ${w.forSide(side)}`)];
    if (!value.value) parts.push(make("p", { className: "empty", textContent: `${w.beyondTables} ${value.unknown}` }));
    if (ended) parts.push(make("p", { textContent: w.endedBy(ended) }));
    if (flag) parts.push(make("p", { textContent: w.flagDecides(flag) }));
    if (left.length) parts.push(paragraph(w.leftNow, left.map((one) => `${one.article}: ${amount(one.left, one.unit)}`).join("; ")));
    parts.push(...reviews.map((review) => make("p", { textContent: w.review(review) })));
    if (occurrence > 1) parts.push(paragraph("1.9.1.7", `${w.occurrence}: ${occurrence}`));
    if (repeating.length) parts.push(paragraph(w.repeating, repeating.join(" ")));
    if (needs) {
      parts.push(paragraph(w.winNeeds(needs.side), `${w.inPlies(needs.plies_to_conversion)}, ${needs.within_the_counts ? w.within : w.beyondCounts}`));
      if (needs.line) parts.push(paragraph(w.lineIs, lineText(needs.line)));
    }
    return [...parts, steps(facts), make("p", { className: "empty fen-text", textContent: fen })];
  }

  $("claim-form").addEventListener("submit", decide);
  $("worth-form").addEventListener("submit", weigh);
  $("claim-article").addEventListener("change", showOffers);
  $("offer-add").addEventListener("click", () => addOffer());
  $("claim-ply").addEventListener("input", () => { chosen = true; });

  return {
    fill,
    /** The ply of the claim is the one on the board until another is chosen. */
    follow(at) {
      if (chosen) return;
      $("claim-ply").value = at;
      $("claim-side").value = court().answer.timeline[at].fen[0] === "W" ? "white" : "black";
    },
    show() { $("claim-ply").max = court().answer?.plies ?? 0; },
    /** Another game: what was decided is of no account. */
    forget() {
      chosen = false;
      $("decision").replaceChildren();
      $("worth").replaceChildren();
    },
  };
}
