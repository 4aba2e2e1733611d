// The explorer page in headless Chromium: see README.md.

import assert from "node:assert/strict";
import { mkdir } from "node:fs/promises";
import { chromium } from "playwright-core";

const [base = "http://127.0.0.1:50051", folder] = process.argv.slice(2);
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox"] });
if (folder) await mkdir(folder, { recursive: true });

const DESK = { width: 1200, height: 900 };
const PHONE = { width: 360, height: 780 };
let passed = 0;
let failed = 0;

/** Opens the page, runs a test on it, and minds errors of scripts and requests to other hosts. */
async function test(name, address, run, { viewport = DESK, touch = false } = {}) {
  const context = await browser.newContext({ viewport, hasTouch: touch, locale: "en-GB", permissions: ["clipboard-read", "clipboard-write"] });
  const page = await context.newPage();
  const problems = [];
  page.on("pageerror", (error) => problems.push(error.message));
  page.on("request", (request) => { if (!request.url().startsWith(base)) problems.push(`asked for ${request.url()}`); });
  try {
    await page.goto(base + address);
    await settled(page);
    await run(page);
    assert.deepEqual(problems, []);
    if (folder) await page.screenshot({ path: `${folder}/${name.replaceAll(" ", "-")}.png`, fullPage: true });
    passed++;
    console.log(`ok    ${name}`);
  } catch (error) {
    failed++;
    if (folder) await page.screenshot({ path: `${folder}/FAILED-${name.replaceAll(" ", "-")}.png`, fullPage: true });
    console.log(`FAIL  ${name}\n${error.stack}`);
  }
  await context.close();
}

const settled = (page) => page.waitForFunction(() => document.querySelector("#value").textContent && !document.querySelector(".busy"));
const text = (page, selector) => page.locator(selector).innerText();
const square = (page, name) => page.locator(`#board [data-square=${name}]`);
const label = (page, name) => square(page, name).getAttribute("aria-label");
const fen = (page) => page.locator("#fen").inputValue();

/** What the service says, asked without the page. */
async function probe(parameters) {
  const response = await fetch(`${base}/v1/probe?${new URLSearchParams(parameters)}`);
  return response.json();
}

await test("the verdict is the service's", "/?fen=W:Wc3,e3:Ba7&lang=en", async (page) => {
  const answer = await probe({ fen: "W:Wc3,e3:Ba7" });
  assert.equal(answer.value, "win");
  assert.equal(await text(page, "#value"), "White wins");
  assert.match(await text(page, "#distance"), new RegExp(`^${answer.dtc} pl`));
  const shown = await page.locator("#moves .text").allInnerTexts();
  assert.deepEqual(shown, answer.moves.map((rated) => rated.move));
  assert.match(await text(page, "#slice"), /positions/);
  assert.equal(await page.locator("#slice .histogram rect").count(), 10);
});

await test("a move is played by clicks and taken back", "/?fen=W:Wc3,e3:Ba7&lang=en", async (page) => {
  await square(page, "e3").click();
  await square(page, "f4").click();
  await settled(page);
  assert.equal(await fen(page), "B:Wc3,f4:Ba7");
  assert.equal(await label(page, "f4"), "f4 white man");
  assert.equal(await page.locator("#ratio").inputValue(), "1");
  await page.locator("#back").click();
  assert.equal(await fen(page), "W:Wc3,e3:Ba7");
  await page.locator("#forward").click();
  assert.equal(await fen(page), "B:Wc3,f4:Ba7");
});

await test("a move is played by dragging", "/?fen=W:Wc3,e3:Ba7&lang=en", async (page) => {
  await square(page, "c3").dragTo(square(page, "b4"));
  await settled(page);
  assert.equal(await fen(page), "B:We3,b4:Ba7");
});

await test("a move is played from the list", "/?fen=W:Wc3,e3:Ba7&lang=en", async (page) => {
  const best = await page.locator("#moves .text").first().innerText();
  await page.locator("#moves button").first().click();
  await settled(page);
  assert.match(await text(page, "#moves-title"), /Moves/);
  assert.equal(await label(page, best.slice(3)), `${best.slice(3)} white man`);
});

await test("the keyboard alone suffices", "/?fen=W:Wc3,e3:Ba7&lang=en", async (page) => {
  await square(page, "a1").focus();
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("ArrowUp");
  const at = await page.evaluate(() => document.activeElement.dataset.square);
  assert.equal(at[1], "3");
  await square(page, "c3").focus();
  await page.keyboard.press("Enter");
  await square(page, "d4").focus();
  await page.keyboard.press("Enter");
  await settled(page);
  assert.equal(await fen(page), "B:We3,d4:Ba7");
  await page.evaluate(() => document.activeElement.blur());
  await page.keyboard.press("ArrowLeft");
  assert.equal(await fen(page), "W:Wc3,e3:Ba7");
});

await test("a position is set up", "/?fen=W:WKa1:BKh2&lang=en", async (page) => {
  await page.locator("#edit").click();
  await page.locator("#clear").click();
  await settled(page);
  assert.match(await text(page, "#value"), /empty/);
  await page.locator("[data-piece=WK]").click();
  await square(page, "c1").click();
  await page.locator("[data-piece=B]").dragTo(square(page, "f6"));
  await page.locator("[name=turn][value=B]").check();
  await settled(page);
  assert.equal(await fen(page), "B:WKc1:Bf6");
  await square(page, "f6").dragTo(square(page, "d6"));
  await settled(page);
  assert.equal(await fen(page), "B:WKc1:Bd6");
  await page.locator("[data-piece=W]").click();
  await square(page, "b8").click();
  assert.equal(await fen(page), "B:WKc1:Bd6", "a man on its promotion rank");
  await square(page, "d6").focus();
  await page.keyboard.press("Delete");
  await settled(page);
  assert.equal(await fen(page), "B:WKc1:B");
  assert.match(await text(page, "#value"), /loses/);
});

await test("a FEN is taken in any form and refused with a reason", "/?lang=en", async (page) => {
  await page.locator("#fen").fill("W:B9,K4:WK29,22.");
  await page.locator("#fen").press("Enter");
  await settled(page);
  assert.equal(await fen(page), "W:WKa1,c3:Bb6,Kh8");
  await page.locator("#fen").fill("W:Wa2:Bh8");
  await page.locator("#fen").press("Enter");
  await page.waitForFunction(() => document.querySelector("#fen-problem").textContent);
  assert.match(await text(page, "#fen-problem"), /'a2' is a light square/);
  assert.equal(await page.locator("#fen").getAttribute("aria-invalid"), "true");
  await page.locator("#fen").fill("W:WKa1:BKh2");
  await page.locator("#fen").press("Enter");
  await settled(page);
  assert.equal(await page.locator("#fen").getAttribute("aria-invalid"), null);
});

await test("counters change the verdict and bad ones are named", "/?fen=W:WKc1,Kd2:BKh6&lang=en", async (page) => {
  await page.locator("#ratio").fill("9");
  await page.locator("#ratio").blur();
  await settled(page);
  assert.equal(await page.locator("#kings").inputValue(), "9");
  assert.match(await text(page, "#remaining"), /1\.9\.1\.4/);
  await page.locator("#road").fill("3");
  await page.locator("#road").blur();
  await settled(page);
  assert.match(await text(page, "#counter-problem"), /road \(3\)/);
  assert.equal(await page.locator("#road").getAttribute("aria-invalid"), "true");
});

await test("a link without a position is told, and its counters are not taken for others", "/?fen=W:Wa2:Bh8&road=1&lang=en", async (page) => {
  await page.waitForFunction(() => document.querySelector("#fen-problem").textContent);
  assert.equal(await text(page, "#counter-problem"), "");
  assert.equal(await page.locator("#road").inputValue(), "0");
  assert.match(await text(page, "#fen-problem"), /^The position cannot be read: .*'a2' is a light square/);
  assert.match(await text(page, "#value"), /The board is empty/);
});

for (const fen of ["W:WKa1:BKh8:BKg1", "W:WKa1:WKh8", "W:WKa1", "W:WKa1,Kc1,,:BKh8", "W:WKa1,Kc1:BKh8:zzz"]) {
  await test(`a link that the service cannot read has no verdict ${fen}`, `/?fen=${fen}&lang=en`, async (page) => {
    await page.waitForFunction(() => document.querySelector("#fen-problem").textContent);
    assert.match(await text(page, "#value"), /The board is empty/);
    assert.equal(await page.locator("#fen").inputValue(), fen);
  });
}

for (const given of ["abc", "-5", "5.5", "99999999999"]) {
  await test(`a counter of a link that is no number is told ${given}`, `/?fen=W:WKa1,Kc1:BKh8&ratio=${given}&lang=ru`, async (page) => {
    await page.waitForFunction(() => document.querySelector("#counter-problem").textContent);
    assert.equal(await text(page, "#counter-problem"), `«${given}» — не целое число от 0 до 4294967295`);
    assert.equal(await text(page, "#value"), "Такого счёта не бывает");
    assert.equal(await page.locator("#ratio").getAttribute("aria-invalid"), "true");
    assert.equal(await label(page, "h8"), "h8 чёрная дамка");
  });
}

await test("a line that is not known leaves the verdict", "/?fen=W:Wc3,e3:Ba7&lang=ru", async (page) => {
  const verdict = await text(page, "#value");
  const [missing, damaged] = [
    { code: "NOT_IN_TABLES", detail: "", missing_slices: ["KKvKm"] },
    { code: "TABLE_DAMAGED", detail: "a table is damaged: KmvK.value: page 2" },
  ];
  await page.route("**/v1/line?*", async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { line: (await response.json()).line.slice(0, 3), unknown: missing } });
  });
  await page.locator("#line-load").click();
  await page.waitForSelector("#line li");
  assert.equal(await text(page, "#line-end"), "Дальше лучшая игра неизвестна. Не хватает таблиц: KKvKm");
  assert.equal(await page.locator("#line li").count(), 2);
  await page.route("**/v1/line?*", (route) => route.fulfill({ status: 500, json: { ...damaged, status: 500 } }));
  await page.locator("#line-load").click();
  await page.waitForFunction(() => document.querySelector("#line-end").textContent.includes("KmvK.value"));
  assert.equal(await text(page, "#line-end"), "Дальше лучшая игра неизвестна. Таблица KmvK.value испорчена.");
  assert.equal(await text(page, "#value"), verdict);
});

await test("a slice whose table is damaged is told", "/?fen=W:Wc3,e3:Ba7&lang=ru", async (page) => {
  await page.route("**/v1/stats?*", (route) => route.fulfill({ status: 500, json: { code: "TABLE_DAMAGED", detail: "a table is damaged: mmvm.value: page 2" } }));
  await page.reload();
  await page.waitForFunction(() => document.querySelector("#slice").textContent);
  assert.equal(await text(page, "#slice"), "Таблица mmvm.value испорчена.");
});

await test("what a link names that is not known is told", "/?fen=W:Wa1:Bh8&rules=oficial&variant=chess&lang=ru", async (page) => {
  await page.waitForFunction(() => document.querySelector("#fen-problem").textContent);
  assert.match(await text(page, "#fen-problem"), /rules=oficial, variant=chess/);
});

await test("the perfect line is walked", "/?fen=W:Wc3,e3:Ba7&lang=en", async (page) => {
  await page.locator("#line-load").click();
  await page.waitForSelector("#line li");
  const plies = await page.locator("#line li").count();
  await page.locator("#line-last").click();
  await settled(page);
  assert.match(await text(page, "#why"), /game is over/);
  assert.match(await text(page, "#line-end"), /White has won/);
  await page.locator("#back").click();
  await page.waitForSelector(`#line li:nth-child(${plies - 1}) .here`);
  await page.locator("#line-next").click();
  await page.waitForSelector(`#line li:nth-child(${plies}) .here`);
  await page.locator("#line-first").click();
  assert.equal(await fen(page), "W:Wc3,e3:Ba7");
  await page.locator("#line-play").click();
  await page.waitForFunction(() => document.querySelector("#line li:nth-child(2) .here"), null, { timeout: 5000 });
  await page.locator("#line-play").click();
  assert.ok(plies > 2);
});

await test("tables that are not there are told", "/?fen=W:WKa1,b2,c3,d4:Ba7,h8,g7,f8&lang=en", async (page) => {
  assert.equal(await text(page, "#value"), "Not in these tables");
  assert.match(await text(page, "#distance"), /Missing tables: Kmmmvmmm/);
  assert.match(await text(page, "#moves-note"), /cannot be rated/);
  assert.match(await text(page, "#slice"), /no tables/);
});

/** Has the service say that it does not know the two moves that are the last. */
async function withoutTables(page) {
  await page.route("**/v1/probe?*", async (route) => {
    const response = await route.fetch();
    const answer = await response.json();
    const whys = [{ code: "NOT_IN_TABLES", detail: "", missing_slices: ["KKvKm"] }, { code: "TABLE_DAMAGED", detail: "" }];
    answer.moves?.slice(-2).forEach((rated, index) => Object.assign(rated, { value: null, dtc: null, unknown: whys[index] }));
    await route.fulfill({ response, json: answer });
  });
  await page.reload();
  await settled(page);
}

for (const [lang, viewport, missing, damaged, note] of [
  ["en", DESK, "no table KKvKm", "damaged table", /in dashed frames are not rated/],
  ["ru", PHONE, "нет таблицы KKvKm", "таблица испорчена", /в пунктирной рамке не оценены/],
]) {
  await test(`moves that are not in these tables are told in ${lang}`, `/?fen=W:Wc3,e3:Ba7&lang=${lang}`, async (page) => {
    const rated = await page.locator("#moves .result").allInnerTexts();
    await withoutTables(page);
    assert.deepEqual(await page.locator("#moves .result").allInnerTexts(), [...rated.slice(0, -2), missing, damaged]);
    assert.equal(await page.locator("#moves .unrated").count(), 2);
    assert.match(await text(page, "#moves-note"), note);
    assert.match(await text(page, "#value"), /White wins|Белые выигрывают/);
    await page.locator("#moves .unrated").first().click();
    await page.waitForFunction(() => document.querySelector("#fen").value.startsWith("B:"));
  }, { viewport });
}

await test("it says in Russian what is wrong", "/?fen=W:Wa2:Bh8&lang=ru", async (page) => {
  const told = async (fen, where, what) => {
    await page.locator("#fen").fill(fen);
    await page.locator("#fen").press("Enter");
    const isTold = ([where, what]) => document.querySelector(where).innerText.includes(what);
    await page.waitForFunction(isTold, [where, what], { timeout: 5000 });
  };
  await page.waitForFunction(() => document.querySelector("#fen-problem").textContent);
  assert.equal(await text(page, "#fen-problem"), "Позиция не читается: поле a2 светлое");
  await told("X:Wa1:Bh8", "#fen-problem", "очередь хода пишется W или B, а не «X»");
  await told("W:Wa9:Bb6", "#fen-problem", "поля «a9» на доске нет");
  await told("W:Wa1,c1,c1:Bb6", "#fen-problem", "на поле c1 две шашки");
  await told("W:Wb8:Bb6", "#fen-problem", "простая на поле b8 стала бы дамкой");
  await told("W:W20-32:BK1", "#fen-problem", "у белых больше 12 шашек");
  await told("W:WKa1:BKh8:BKg1", "#fen-problem", "список чёрных шашек дан дважды");
  await told("W:WKa1:WKh8", "#fen-problem", "список белых шашек дан дважды");
  await told("W:WKa1", "#fen-problem", "нет списка чёрных шашек");
  await told("W:WKa1,Kc1,,:BKh8", "#fen-problem", "в списке белых шашек пустое место");
  await told("W:WKa1,Kc1:BKh8:zzz", "#fen-problem", "«zzz» — не список шашек");
  await told("W:WK1-5:BK30", "#verdict", "Этой позиции в таблицах нет");
  assert.match(await text(page, "#distance"), /^Не хватает таблиц: KKKKKvK$/);
  await page.locator("#fen").fill("W:WKc1,d2:BKh6");
  await page.locator("#fen").press("Enter");
  await settled(page);
  await page.locator("#kings").fill("9");
  await page.locator("#kings").blur();
  await settled(page);
  assert.equal(await text(page, "#counter-problem"), "одними дамками сделано больше полуходов, чем прошло без изменения сил");
});

await test("a service that is gone is told", "/?fen=W:Wc3,e3:Ba7&lang=en", async (page) => {
  await page.route("**/v1/**", (route) => route.abort());
  await page.locator("#moves button").first().click();
  await page.waitForSelector("#why button");
  assert.equal(await text(page, "#value"), "No answer");
  await page.unroute("**/v1/**");
  await page.locator("#why button").click();
  await settled(page);
  assert.match(await text(page, "#value"), /loses/);
});

await test("a link brings back what was shown", "/?fen=W:Wc3,e3:Ba7&lang=en", async (page) => {
  await page.locator("#rules").selectOption("fmjd64");
  await page.locator("#moves button").first().click();
  await settled(page);
  await page.locator("#share").click();
  const link = await page.evaluate(() => navigator.clipboard.readText());
  const before = await fen(page);
  await page.goto(link);
  await settled(page);
  assert.equal(await fen(page), before);
  assert.equal(await page.locator("#rules").inputValue(), "fmjd64");
  assert.equal(await page.locator("#ratio").inputValue(), "1");
});

await test("swapping the colours keeps the value", "/?fen=W:Wc3,e3:Ba7&lang=en", async (page) => {
  await page.locator("#swap").click();
  await settled(page);
  assert.equal(await fen(page), "B:Wh2:Bd6,f6");
  assert.equal(await text(page, "#value"), "Black wins");
  await page.locator("#flip").click();
  const first = await page.locator("#board .cell").nth(7).getAttribute("data-square");
  assert.equal(first, "a1");
});

await test("kings alone are mirrored in both long diagonals", "/?fen=W:WKc1,Kd2:BKh6&ratio=3&kings=3&lang=en", async (page) => {
  const answer = async () => {
    const { value, dtc, moves } = await probe({ fen: await fen(page), ratio: 3, kings: 3 });
    return { value, dtc, moves: moves.map((rated) => `${rated.value} ${rated.dtc}`).sort() };
  };
  const [before, verdict] = [await answer(), await text(page, "#value")];
  for (const [button, expected] of [["Mirror in the diagonal a1–h8", "W:WKa3,Kb4:BKf8"], ["Mirror in the diagonal a8–h1", "W:WKg5,Kh6:BKc1"]]) {
    await page.getByRole("button", { name: button }).click();
    await settled(page);
    assert.equal(await fen(page), expected);
    assert.equal(await page.locator("#ratio").inputValue(), "3");
    assert.equal(await text(page, "#value"), verdict);
    assert.deepEqual(await answer(), before);
    await page.locator("#back").click();
    await settled(page);
  }
  await page.locator("#mirror-main").click();
  await page.locator("#mirror-main").click();
  await settled(page);
  assert.equal(await fen(page), "W:WKc1,Kd2:BKh6");
});

await test("men go one way and are not mirrored", "/?fen=W:Wc3,e3:Ba7&lang=en", async (page) => {
  assert.equal(await page.locator("#mirror-main").isVisible(), false);
  assert.equal(await page.locator("#mirror-other").isVisible(), false);
});

await test("it speaks Russian", "/?fen=W:Wc3,e3:Ba7&lang=en", async (page) => {
  await page.locator("#language").click();
  await settled(page);
  assert.equal(await text(page, "#value"), "Белые выигрывают");
  assert.equal(await page.locator("html").getAttribute("lang"), "ru");
  assert.equal(await label(page, "c3"), "c3 белая простая");
  const untold = await page.locator("[data-word], [data-label]").evaluateAll((elements) =>
    elements.filter((element) => /undefined/.test(element.textContent + element.getAttribute("aria-label"))).length);
  assert.equal(untold, 0);
});

await test("everything on the page has a name", "/?fen=W:WKc1,Kd2:BKh6&lang=en", async (page) => {
  await page.locator("#edit").click();
  const nameless = await page.locator("button, input, select").evaluateAll((elements) => elements.filter((element) => {
    const named = element.getAttribute("aria-label") || element.textContent.trim() || element.labels?.length;
    return !named;
  }).map((element) => element.outerHTML));
  assert.deepEqual(nameless, []);
});

await test("it fits a phone", "/?fen=W:WKc1,Kd2,Ke1:BKh6&lang=ru", async (page) => {
  const [wide, view] = await page.evaluate(() => [document.documentElement.scrollWidth, window.innerWidth]);
  assert.ok(wide <= view, `${wide} wider than ${view}`);
  await page.locator("#edit").click();
  await square(page, "c1").tap();
  await settled(page);
}, { viewport: PHONE, touch: true });

// --- The arbiter's tab

const ARBITER = "/?tab=arbiter&lang=en";
const SHUFFLE = `[White "Ivanov"]
[Black "Petrov"]
[Result "1-1"]
[FEN "W:WKa5,Kb8:BKc1,Kh4"]

1. b8-a7 c1-a3 2. a7-b8 a3-c1 3. b8-a7 c1-a3 4. a7-b8 a3-c1 5. b8-a7 1-1`;

/** Has a record judged and waits for the verdict. */
async function judge(page, pdn) {
  if (!await page.locator("#pdn").isVisible()) await page.locator("#game-form summary").click();
  await page.locator("#pdn").fill(pdn);
  await page.locator("#pdn-form button[type=submit]").click();
  await page.waitForFunction(() => !document.querySelector(".judging") && document.querySelector("#arbiter-head").matches(".done, .failed"));
}

/** What the service says, asked without the page. */
async function verify(question) {
  const response = await fetch(`${base}/v1/arbiter/verify`, { method: "POST", body: JSON.stringify(question) });
  return response.json();
}

const cells = (page, row) => page.locator(`#met tbody tr:nth-child(${row}) td`).allInnerTexts();

await test("arbiter without a game", ARBITER, async (page) => {
  assert.equal(await text(page, "#arbiter-state"), "No game yet");
  assert.equal(await page.locator("#arbiter-claim").isVisible(), false);
  assert.equal(await page.locator("#position-panel").isVisible(), false);
  await page.locator("#pdn-form button[type=submit]").click();
  assert.match(await text(page, "#arbiter-facts"), /Paste a game record/);
  await page.locator("#tab-arbiter").press("ArrowLeft");
  assert.equal(await page.locator("#position-panel").isVisible(), true);
  assert.equal(await page.locator("#tab-position").getAttribute("aria-selected"), "true");
});

await test("arbiter shows each rule under each rule set", ARBITER, async (page) => {
  await judge(page, SHUFFLE);
  assert.equal(await text(page, "#arbiter-state"), "Ivanov – Petrov");
  const answer = await verify({ pdn: SHUFFLE });
  const sets = ["official", "official-won-position", "fmjd64", "classic"];
  const articles = ["1.9.1.3", "1.9.1.4", "1.9.1.5", "1.9.1.6", "1.9.1.7"];
  for (const [row, set] of sets.entries()) {
    const expected = articles.map((article) => String(answer.rules[set].find((met) => met.article === article)?.first_met_ply ?? "–"));
    assert.deepEqual(await cells(page, row + 1), expected, set);
  }
  assert.equal((await page.locator("#disagreements li").allInnerTexts()).length, answer.disagreements.length);
  await page.locator("#met button").first().click();
  assert.match(await text(page, "#ply-title"), /^Ply 8 of 9: a3-c1$/);
  assert.match(await text(page, "#ply-news"), /First met here: 1\.9\.1\.7/);
  await page.locator("#proofs summary").first().click();
  assert.match(await text(page, "#proofs"), /the position stood after plies 0, 4, 8: W:WKa5,Kb8:BKc1,Kh4/);
});

await test("arbiter steps by buttons, keys, slider and list", ARBITER, async (page) => {
  await judge(page, SHUFFLE);
  await page.locator("#arbiter-next").click();
  assert.match(await text(page, "#ply-title"), /^Ply 1 of 9: b8-a7$/);
  assert.equal(await page.locator("#arbiter-board [data-square=a7]").getAttribute("aria-label"), "a7 white king");
  await page.evaluate(() => document.activeElement.blur());
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  assert.match(await text(page, "#ply-title"), /^Ply 3/);
  assert.match(await text(page, "#news"), /^Ply 3 of 9/);
  await page.keyboard.press("End");
  assert.match(await text(page, "#ply-title"), /^Ply 9/);
  await page.locator("#ply").focus();
  await page.keyboard.press("ArrowLeft");
  assert.match(await text(page, "#ply-title"), /^Ply 8/);
  await page.locator("#arbiter-moves button").nth(4).click();
  assert.match(await text(page, "#ply-counts"), /1\.9\.1\.7 time that the position stands\s+2/);
  assert.match(await text(page, "#ply-counts"), /1\.9\.1\.6 plies by kings only\s+4/);
  await page.locator("#explore").click();
  await settled(page);
  assert.equal(await fen(page), "W:WKa5,Kb8:BKc1,Kh4");
  assert.equal(await page.locator("#kings").inputValue(), "4");
});

await test("arbiter marks the move that gave the win away", ARBITER, async (page) => {
  await judge(page, `[FEN "W:Wc3,e3:Ba7"]\n1. e3-d4 a7-b6 2. d4-c5 b6:b2 *`);
  const gave = page.locator("#arbiter-moves .gave");
  assert.ok(await gave.count() > 0);
  await gave.first().click();
  assert.match(await text(page, "#ply-news"), /gave the win away/);
  const official = page.locator("#ply-sets tbody tr").first().locator(".badge");
  assert.match(await official.getAttribute("class"), /\b(draw|win)\b/, "the side to move is no longer lost");
});

await test("arbiter decides claims step by step", ARBITER, async (page) => {
  await judge(page, SHUFFLE);
  await page.locator("#met button").first().click();
  assert.equal(await page.locator("#claim-ply").inputValue(), "8");
  assert.equal(await page.locator("#claim-side").inputValue(), "white");
  await page.locator("#claim-form button[type=submit]").click();
  await page.waitForSelector("#decision .ruling");
  const rulings = await page.locator("#decision .ruling").allInnerTexts();
  assert.equal(rulings[0], "Upheld; drawn by 1.9.1.7");
  assert.match(await text(page, "#decision"), /1\.9\.2 White is to move and may claim, before moving/);
  await page.locator("#claim-record").uncheck();
  await page.locator("#claim-form button[type=submit]").click();
  await page.waitForSelector("#decision .not-considered");
  await page.locator("#claim-ply").fill("7");
  await page.locator("#claim-side").selectOption("black");
  await page.locator("#claim-record").check();
  await page.locator("#claim-intended").fill("a3-c1");
  await page.locator("#claim-form button[type=submit]").click();
  await page.waitForSelector("#decision .upheld");
  assert.match(await text(page, "#decision"), /the written move a3-c1 leads to a position that stands for the 3rd time/);
  await page.locator("#claim-ply").fill("99");
  await page.locator("#claim-form").evaluate((form) => { form.noValidate = true; });
  await page.locator("#claim-form button[type=submit]").click();
  await page.waitForSelector("#decision [role=alert]");
  assert.match(await text(page, "#decision"), /the record has 9 plies/);
});

await test("arbiter hears offers of a draw", ARBITER, async (page) => {
  await judge(page, SHUFFLE);
  await page.locator("#claim-article").selectOption("1.9.1.1");
  await page.locator("#claim-ply").fill("3");
  await page.locator("#offer-add").click();
  await page.locator("[name=offerAnswer]").selectOption("accepted");
  await page.locator("[name=clockStarted]").check();
  await page.locator("#claim-form button[type=submit]").click();
  await page.waitForSelector("#decision .upheld");
  assert.match(await text(page, "#decision"), /1\.9\.4 White offered a draw after ply 3 on the opponent's time/);
});

await test("arbiter weighs an unfinished game", ARBITER, async (page) => {
  await judge(page, `[FEN "W:Wc3,e3:Ba7"]\n1. e3-f4 *`);
  await page.locator("#worth-form button[type=submit]").click();
  await page.waitForSelector("#worth .ruling");
  assert.match(await text(page, "#worth"), /with Black to move/);
  await page.locator("#fallen-flag").selectOption("black");
  await page.locator("#worth-form button[type=submit]").click();
  await page.waitForFunction(() => /flag decides: White has won/.test(document.querySelector("#worth").textContent));
});

await test("arbiter tells what is wrong with a record", ARBITER, async (page) => {
  await judge(page, "[Result \"1-0\"]\n1. c3-d4 b6-a5 2. d4-d5 *");
  assert.match(await text(page, "#arbiter-error"), /ply 3: 'd4-d5'.*Judged up to there: 2 plies/s);
  assert.match(await text(page, "#fits"), /could not be read to its end/);
  assert.equal(await page.locator("#arbiter-moves button").count(), 3);
  await judge(page, "[FEN \"W:Wa2:Bb8\"]\n1. a1-b2 *");
  assert.match(await text(page, "#arbiter-error"), /position at the beginning cannot be/);
  assert.equal(await page.locator("#arbiter-claim").isVisible(), false);
  await judge(page, `${"x".repeat(1 << 20)} `);
  assert.match(await text(page, "#arbiter-head"), /The record was not judged\s+the text has 1048577 bytes/);
});

await test("arbiter says what its tables do not hold", ARBITER, async (page) => {
  await judge(page, "1. c3-d4 d6-c5 2. b2-c3 f6-g5 *");
  await page.locator("#arbiter-last").click();
  assert.match(await text(page, "#ply-sets"), /not in these tables/);
  assert.match(await text(page, "#beyond"), /the counts are judged, the value is unknown/);
  await page.locator("#worth-form button[type=submit]").click();
  await page.waitForSelector("#worth .ruling");
  assert.match(await text(page, "#worth"), /There is no table here for these pieces/);
});

await test("arbiter takes one game of many and a file in windows-1251", ARBITER, async (page) => {
  await judge(page, `${SHUFFLE}\n\n[White "Sidorov"]\n[Black "Kozlov"]\n1. c3-d4 *`);
  assert.match(await text(page, "#game-count"), /of 2/);
  await page.locator("#game").fill("2");
  await page.locator("#game").blur();
  await page.waitForFunction(() => document.querySelector("#arbiter-state").textContent === "Sidorov – Kozlov");
  await page.locator("#game-form summary").click();
  const record = Buffer.from([...Buffer.from("[White \""), 0xc8, 0xe2, 0xe0, 0xed, ...Buffer.from("\"]\n1. c3-d4 *")]);
  await page.locator("#pdn-file").setInputFiles({ name: "old.pdn", mimeType: "text/plain", buffer: record });
  await page.waitForFunction(() => document.querySelector("#arbiter-state").textContent === "Иван – ?");
});

await test("arbiter tells that the service is gone", ARBITER, async (page) => {
  await page.route("**/v1/arbiter/**", (route) => route.abort());
  await judge(page, SHUFFLE);
  assert.match(await text(page, "#arbiter-head"), /No answer\s+The service does not answer/);
  await page.unroute("**/v1/arbiter/**");
  await page.locator("#arbiter-head button").click();
  await page.waitForSelector("#met button");
});

await test("arbiter speaks Russian and nothing is nameless", "/?tab=arbiter&lang=ru", async (page) => {
  await page.locator("#pdn-example").click();
  await page.waitForSelector("#met button");
  await page.locator("#arbiter-last").click();
  await page.locator("#proofs summary").first().click();
  await page.locator("#claim-article").selectOption("1.9.1.5");
  await page.locator("#claim-form button[type=submit]").click();
  await page.waitForSelector("#decision .ruling");
  assert.match(await text(page, "#fits"), /ничья по 1\.9\.1\.5 после полухода 9/);
  assert.match(await text(page, "#decision"), /Принято; ничья по 1\.9\.1\.5/);
  await page.locator("#worth-form button[type=submit]").click();
  await page.waitForSelector("#worth .ruling");
  await page.locator("#claim-article").selectOption("1.9.1.1");
  await page.locator("#offer-add").click();
  assert.equal(/undefined|\[object/.test(await text(page, "#arbiter-panel")), false);
  const nameless = await page.locator("#arbiter-panel :is(button, input, select, textarea)").evaluateAll((elements) =>
    elements.filter((element) => !(element.getAttribute("aria-label") || element.textContent.trim() || element.labels?.length)).map((element) => element.outerHTML));
  assert.deepEqual(nameless, []);
  await page.locator("#language").click();
  await page.waitForFunction(() => /drawn by 1\.9\.1\.5/.test(document.querySelector("#fits").textContent));
  await page.locator("#language").click();
  await page.waitForFunction(() => /ничья по/.test(document.querySelector("#fits").textContent));
});

for (const lang of ["ru", "en"]) {
  await test(`arbiter fits a phone in ${lang}`, `/?tab=arbiter&lang=${lang}`, async (page) => {
    await judge(page, SHUFFLE);
    await page.locator("#arbiter-next").tap();
    await page.locator("#claim-form button[type=submit]").tap();
    await page.waitForSelector("#decision .ruling");
    const [wide, view] = await page.evaluate(() => [document.documentElement.scrollWidth, window.innerWidth]);
    assert.ok(wide <= view, `${wide} wider than ${view}`);
    const small = await page.locator("#arbiter-panel .bar button").evaluateAll((buttons) =>
      buttons.filter((button) => button.getBoundingClientRect().height < 36 && button.offsetParent).length);
    assert.equal(small, 0);
  }, { viewport: PHONE, touch: true });
}

await browser.close();
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed ? 1 : 0;
