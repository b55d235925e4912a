/** Every hint and every fix names what to change: an action, or a field, parameter or setting. */

import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "@jest/globals";
import { readError } from "../src/core/failure/call-error.js";
import { documentedErrors } from "./core/failure/documented-errors.js";
import { makeSource } from "./support/api-source.js";
import { emptyBody, jsonBody } from "./support/response-body.js";

/** An order to the reader, at the beginning of a sentence or of a part of one. */
const action =
  /(?:^\s*|[.:;,!?)…] |\b(?:and|or|to|user|should|not|don't) )(?:add|ask|begin|call|check|choose|compare|convert|copy|correct|create|decide|download|drop|escape|fix|get|give|have|install|keep|leave|list|look|make|move|name|nest|open|put|raise|read|remove|repeat|replace|request|run|save|send|set|start|swap|tell|try|unlock|use|wait|write)\b/i;
/** `limits.timeoutMs`, "authType", a `name` in code marks, an environment variable, the path. */
const name = /`[^`]+`|"[\w. -]+"|\b(?:api|limits|network|options)\.\w+|\b[A-Z]+_[A-Z_]+\b|\bpath \//;

const isUseful = (hint: string): boolean => action.test(hint) || name.test(hint);

/** The texts of `hint`, `fix` and `advice` in the sources, with `…` for their expressions. */
function listTexts(): string[] {
  const members =
    /\b(?:hint|fix|advice)\s*[:=]\s*(?:[\w.() !=&|]+\?\s*)?((?:(["'`])(?:(?!\2)[^\\]|\\.)*\2[\s+:]*)+)/g;
  return (
    readdirSync("src", { recursive: true, encoding: "utf8" })
      // The hints of a menu describe its choices.
      .filter((file) => file.endsWith(".ts") && file !== "cli/draft.ts")
      .flatMap((file) => [...readFileSync(`src/${file}`, "utf8").matchAll(members)])
      .flatMap(([, texts = ""]) => [...texts.matchAll(/(["'`])((?:(?!\1)[^\\]|\\.)*)\1/g)])
      .map(([, , text = ""]) => text.replace(/\$\{[^{}]*\}/g, "…").replace(/^…+/, ""))
      // A call that its caller stopped needs nothing.
      .filter((text) => /[a-z]{3} [a-z]/i.test(text) && text !== "The caller stopped it.")
  );
}

describe("a hint", () => {
  it("names an action, a field or a setting, wherever it is written", () => {
    const texts = listTexts();
    expect(texts.length).toBeGreaterThan(100);
    expect(texts.filter((text) => !isUseful(text))).toEqual([]);
  });

  it("does so under every status, for every documented error body", () => {
    const others = [302, 451, 500, 501, 502, 503, 504, 511];
    const empty = [...others, ...Array.from({ length: 32 }, (_, index) => 400 + index)];
    const documented = Object.values(documentedErrors).map(({ status, body = {} }) => ({
      status,
      body: jsonBody(body),
    }));
    const answers = [...empty.map((status) => ({ status, body: emptyBody() })), ...documented];
    const request = { path: "/things", url: "https://api.example.com/v1/things" };
    const given = (["GET", "POST"] as const).flatMap((method) =>
      answers.map((answer) => ({ ...answer, method })),
    );
    const hints = given.map(({ method, body, status }) => {
      const facts = { status, headers: {}, body, source: makeSource(), request: { ...request, method } };
      return readError({ ...facts, credential: { variables: ["SHOP_TOKEN"] } })?.error.hint ?? "";
    });
    expect([...new Set(hints)].filter((hint) => !isUseful(hint))).toEqual([]);
  });

  it.each(["It did not work.", "Something went wrong with the request.", ""])(
    "is not useful as %j",
    (text) => {
      expect(isUseful(text)).toBe(false);
    },
  );
});
