/** The programs of README and docs that a reader saves as a file: blocks of code whose first line is their file's name. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const program = /^```(?:ts|js)\n(\/\/ ([\w-]+)\.(?:ts|mjs)\n[\s\S]*?)^```$/gm;

/** @returns the text of each program of a page, by the name of its file as TypeScript */
export function readPrograms(page) {
  const blocks = readFileSync(page, "utf8").matchAll(program);
  return Object.fromEntries([...blocks].map(([, text, name]) => [`${name}.ts`, text]));
}

/** Those that need LangChain and this package alone: the packages of the other page are installed by `npm run test:frameworks`. */
export function readOwnPrograms() {
  const docs = readdirSync("docs", { recursive: true }).map((name) => join("docs", name));
  const pages = docs.filter((page) => page.endsWith(".md") && page !== "docs/frameworks.md");
  return Object.assign({}, ...["README.md", ...pages].map(readPrograms));
}
