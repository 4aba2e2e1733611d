// Asking the service, and the small tools that both tabs share.

import { words } from "./words.js";

export const $ = (id) => document.getElementById(id);

export const make = (name, properties = {}, ...children) => {
  const element = Object.assign(document.createElement(name), properties);
  element.append(...children);
  return element;
};

/** An element of a drawing. */
export const draw = (name, attributes = {}, ...children) => {
  const part = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) part.setAttribute(key, value);
  part.append(...children);
  return part;
};

/** Tells a screen reader. */
export function news(text) {
  $("news").textContent = text;
}

/** The service's own reason why it does not answer. */
export class Refused extends Error {
  constructor(problem) {
    super(problem.detail);
    this.problem = problem;
  }
}

/** The table that a reason names, such as KKvK.value. */
export function tableNamed(detail = "") {
  return detail.match(/[Km]+v[Km]+\.[\w-]+/)?.[0] ?? "";
}

/** The reason in the words of the page, by the names that the service gives it; without one as the service says it. */
export function refusal({ code, detail, missing_slices: missing, violations = [] }) {
  const w = words();
  if (code === "NOT_IN_TABLES") return `${w.notInTables}. ${w.missing}${missing.join(", ")}`;
  const wrong = violations.map(({ reason, about, message }) => w.wrong[reason]?.(about) ?? message);
  return wrong.length ? wrong.join("; ") : w.problem[code]?.(tableNamed(detail)) ?? detail;
}

async function answer(response) {
  const body = await response.json();
  if (!response.ok) throw new Refused(body);
  return body;
}

export async function ask(path, parameters) {
  return answer(await fetch(`${path}?${new URLSearchParams(parameters)}`, { headers: { accept: "application/json" } }));
}

export async function post(path, question) {
  const headers = { accept: "application/json", "content-type": "application/json" };
  return answer(await fetch(path, { method: "POST", headers, body: JSON.stringify(question) }));
}

/** An article with the number that a rule set has for it. */
export function cited(article, cites) {
  return cites ? `${article} (${cites})` : article;
}
