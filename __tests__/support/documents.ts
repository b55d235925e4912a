/** The documentation as data: every code block with what marks it, and every table. */

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

export interface CodeBlock {
  /** The page, such as `README.md`. */
  readonly page: string;
  /** The line of the opening fence, from 1. */
  readonly line: number;
  readonly language: string;
  readonly text: string;
  /** Of `<!-- run: NAME -->` on the line before: the block is what that run prints. */
  readonly run?: string;
}

/** README, the pages of `docs/`, and the guides beside README that hold code. */
export function listPages(): string[] {
  const docs = readdirSync("docs", { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md"))
    .map((name) => join("docs", name));
  return ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "examples/README.md", ...docs.sort()];
}

const fence = /^(?:<!-- run: ([\w-]+) -->\n)?```(\w*)\n([\s\S]*?)^```$/gm;

export function readBlocks(page: string): CodeBlock[] {
  const markdown = readFileSync(page, "utf8");
  return [...markdown.matchAll(fence)].map(
    ({ 0: whole, 1: run, 2: language = "", 3: text = "", index }) => ({
      page,
      line: markdown.slice(0, index + whole.indexOf("```")).split("\n").length,
      language,
      text,
      ...(run === undefined ? {} : { run }),
    }),
  );
}

/** The page with the text of each run in place of what stands there. */
export function replaceRuns(markdown: string, texts: Readonly<Record<string, string>>): string {
  return markdown.replace(fence, (whole, run: string | undefined, language: string) =>
    run === undefined
      ? whole
      : `<!-- run: ${run} -->\n\`\`\`${language}\n${texts[run] ?? ""}\n\`\`\``,
  );
}

/** The rows below a table's header whose first cell is `heading`; a cell's text without its backticks. */
export function readTable(page: string, heading: string): string[][] {
  const lines = readFileSync(page, "utf8").split("\n");
  const start = lines.findIndex((line) => line.startsWith(`| ${heading} |`));
  if (start === -1) return [];
  const rest = lines.slice(start + 2);
  const end = rest.findIndex((line) => !line.startsWith("|"));
  return rest.slice(0, end === -1 ? rest.length : end).map(splitRow);
}

function splitRow(line: string): string[] {
  return line
    .split(/(?<!\\)\|/)
    .slice(1, -1)
    .map((cell) => cell.trim());
}

/** The code spans of a cell. */
export function codesOf(cell: string): string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, code = ""]) => code);
}
