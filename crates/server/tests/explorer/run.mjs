// The explorer page in headless Chromium: see README.md.

import assert from "node:assert/strict";
import { mkdir } from "node:fs/promises";
import { chromium } from "playwright-core";

const [base = "http://127.0.0.1:50051", folder] = process.argv.slice(2);
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox"] });
if (folder) await mkdir(folder, { recursive: true });

const DESK = { width: 1200, height: 900 };
const PHONE = { width: 390, height: 844 };
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
const square = (page, name) => page.locator(`[data-square=${name}]`);
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

await test("the perfect line is walked", "/?fen=W:Wc3,e3:Ba7&lang=en", async (page) => {
  await page.locator("#line-load").click();
  await page.waitForSelector("#line li");
  const plies = await page.locator("#line li").count();
  await page.locator("#line-last").click();
  await settled(page);
  assert.match(await text(page, "#why"), /game is over/);
  assert.match(await text(page, "#line-end"), /White has won/);
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
  assert.match(await text(page, "#moves-none"), /cannot be rated/);
  assert.match(await text(page, "#slice"), /no tables/);
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

await browser.close();
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed ? 1 : 0;
