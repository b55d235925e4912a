import { describe, expect, it } from "@jest/globals";
import { findInText, findUnusualForms } from "./support/plain-english.js";

/**
 * How many unusual forms each room may have: a media type's name, and a product's. These numbers only go down.
 * `PRINT_FORMS=src/core npm run jest -- __tests__/plain-english` lists the places of a room, `PRINT_FORMS=all` the counts.
 */
const allowed: Readonly<Record<string, number>> = {
  "docs/large-answers.md": 1,
  "src/core": 1,
};

describe("code, pages and titles of tests", () => {
  it("have no more unusual forms than each room is still allowed", () => {
    const forms = findUnusualForms();
    const counts = new Map<string, number>();
    for (const { room } of forms) counts.set(room, (counts.get(room) ?? 0) + 1);
    const asked = process.env.PRINT_FORMS;
    if (asked === "all") console.log(JSON.stringify(Object.fromEntries([...counts].sort()), null, 2));
    const wanted = forms.filter(({ room }) => room === asked);
    if (wanted.length > 0)
      console.log(wanted.map((form) => `${form.place}: ${form.text} -> ${form.instead}`).join("\n"));
    const over = [...counts].filter(([room, count]) => count > (allowed[room] ?? 0));
    expect(over.map(([room, count]) => `${room}: ${count}, not more than ${allowed[room] ?? 0}`)).toEqual([]);
  });
});

describe("an unusual form", () => {
  it.each([
    "It is no number.",
    "Nobody knows.",
    "describeFlaw(value)",
    "the row stands first",
    "none that fits",
  ])("is found in %j", (text) => {
    expect(findInText("room", "file.ts", text)).toHaveLength(1);
  });

  it.each(["There is no such path.", "It is no longer valid.", "describeProblem(value)", "understands"])(
    "is not found in %j",
    (text) => {
      expect(findInText("room", "file.ts", text)).toEqual([]);
    },
  );
});
