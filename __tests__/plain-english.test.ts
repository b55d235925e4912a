import { readdirSync, readFileSync, statSync } from "node:fs";
import { describe, expect, it } from "@jest/globals";

/** What to avoid, and what to write instead. */
const unusualForms: readonly (readonly [form: RegExp, instead: string])[] = [
  [/\basked of\b/gi, "requested from"],
  [/\bmend(?:s|ed|ing)?\b/gi, "fix"],
  [/\b(?:shelf|shelves|archive)\b/gi, "namespace, response store"],
  [/\b(?:gate|passage)\b/gi, "approval check, approval result"],
  [/\bwitness(?:es)?\b/gi, "diagnostics"],
  [/\bpace\b/gi, "rate-limit slot"],
  [/\b(?:bury|buries|buried)\b/gi, "invalidate, keep"],
  [/\bclipped\b/gi, "truncated"],
  [/\bkin\b/gi, "related"],
  [/\bnoted down\b/gi, "recorded"],
];

/** A media type's name. */
const meant = ["src/core/body/read-media-type.ts: archive"];

/** Every unusual form in code, comments and pages, and in the titles of tests. */
function findUnusualForms(): string[] {
  const pages = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", ...listFiles("docs", ".md")];
  return [
    ...listFiles("src", ".ts").flatMap((path) => findInText(path, readText(path))),
    ...listFiles("__tests__", ".test.ts").flatMap((path) =>
      findInText(path, listTitles(readText(path)).join("\n")),
    ),
    ...pages.flatMap((path) => findInText(path, readText(path))),
  ];
}

/** The unusual forms of one text, each with what to write instead. Names in camel case are read as words. */
function findInText(path: string, text: string): string[] {
  return text.split("\n").flatMap((line, index) => {
    const words = line.replace(/(?<=[a-z0-9])(?=[A-Z])/g, " ");
    return unusualForms.flatMap(([form, instead]) =>
      [...words.matchAll(form)]
        .filter(([found]) => !meant.includes(`${path}: ${found}`))
        .map(([found]) => `${path}:${index + 1}: ${found} -> ${instead}`),
    );
  });
}

/** The first text of each `describe` and `it`, and of the call that follows a table. */
function listTitles(text: string): string[] {
  const titles = /(?:\b(?:it|describe)(?:\.\w+)*|\])\)?\(\s*(["'`])((?:(?!\1)[^\\\n]|\\.)*)\1/g;
  return [...text.matchAll(titles)].map((match) => match[2] ?? "");
}

function listFiles(root: string, extension: string): string[] {
  return readdirSync(root, { recursive: true, encoding: "utf8" })
    .map((name) => `${root}/${name}`)
    .filter((path) => path.endsWith(extension) && statSync(path).isFile())
    .sort();
}

function readText(path: string): string {
  return readFileSync(path, "utf8");
}

describe("code, pages and titles of tests", () => {
  it("have no unusual forms", () => {
    expect(findUnusualForms()).toEqual([]);
  });
});

it("an unusual form is found in a sentence and in a name, and no part of another word is one", () => {
  const count = (text: string): number => findInText("file.ts", text).length;
  expect(["It mends the text.", "mendText(value)", "a shelf"].map(count)).toEqual([1, 1, 1]);
  expect(["The call says so.", "amended", "pacemaker"].map(count)).toEqual([0, 0, 0]);
});
