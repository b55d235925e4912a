/** The recipes: records of known APIs that come with the package. `recipes` lists them, and `add NAME` begins with one. */

import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { findNearest } from "../core/base/text.js";
import { findProblem } from "./draft.js";
import type { Imported, ImportedRecord } from "./import/imported.js";
import { isCurl, isWholeCurl } from "./import/read-curl.js";
import type { Description } from "./import-description.js";
import { askText } from "./prompts.js";
import { createUsageError, type Terminal, writeTable } from "./terminal.js";
import type { CommonFlags } from "./workspace.js";

/** What a file of `recipes/` has beside the record. */
interface RecipeNote {
  /** What a user of the API has to know. */
  readonly about: string;
  /** The month in which it was compared with the vendor's documentation. */
  readonly checked: string;
  /** The fields below `api` whose values are examples. */
  readonly change?: readonly string[];
  /** What was not found in the vendor's documentation. */
  readonly unchecked?: readonly string[];
}

/** The folder of the recipes. */
function findRecipes(): string {
  return join(
    dirname(createRequire(import.meta.url).resolve("langchain-api-sources/package.json")),
    "recipes",
  );
}

/** The names of the recipes, in their order. */
function listRecipeNames(): string[] {
  const files = readdirSync(findRecipes()).filter((file) => file.endsWith(".json"));
  return files.map((file) => file.slice(0, -".json".length)).sort();
}

function readNote(name: string): { readonly note: RecipeNote; readonly record: ImportedRecord } {
  const file = join(findRecipes(), `${name}.json`);
  const recipe: ImportedRecord & { readonly "x-recipe": RecipeNote } = JSON.parse(readFileSync(file, "utf8"));
  const { "x-recipe": note, ...record } = recipe;
  return { note, record };
}

/** Prints each recipe with what to know about its API. */
export async function printRecipes(flags: CommonFlags, terminal: Terminal): Promise<number> {
  const recipes = listRecipeNames().map((name) => ({ name, ...readNote(name) }));
  const plain = recipes.map(({ name, note, record }) => {
    return { name, api: record.name, baseUrl: record.api.baseUrl, ...note };
  });
  const rows = recipes.map(({ name, note: { about } }) => [name, about.split(/(?<=[.)])\s/)[0] ?? ""]);
  terminal.printResult(flags, plain, writeTable(["RECIPE", "WHAT TO KNOW"], rows));
  if (flags.json !== true) terminal.note("Begin with one: api-sources add NAME");
  return 0;
}

/** A word that is neither an address nor a path is the name of a recipe; both spellings of a name are. */
function findRecipe(word: string): string | undefined {
  const name = word.toLowerCase().replaceAll("_", "-");
  return listRecipeNames().find((each) => each === name);
}

/** Why a word can't begin a source; undefined for an address and for a recipe. */
function findMistake(word: string): string | undefined {
  if (/[.:/]/.test(word) || findRecipe(word) !== undefined) return undefined;
  const nearest = findNearest(word, listRecipeNames());
  return `${word} is neither a URL nor the name of a recipe.${nearest === undefined ? "" : ` Nearest: ${nearest}.`}`;
}

/** Asks for the base URL, a curl line as documentations have them, or the name of a recipe. */
export async function askBeginning(terminal: Terminal): Promise<string> {
  const check = (word: string): string | undefined => {
    if (isCurl(word))
      return isWholeCurl(word) ? undefined : "A line of several lines: paste it to api-sources add --from -";
    if (findRecipe(word) !== undefined) return undefined;
    const mistake = word === "" ? undefined : findMistake(word);
    return mistake ?? findProblem({ api: { baseUrl: toUrl(word) } }, "api.baseUrl");
  };
  const recipes = `a recipe such as github (api-sources recipes lists ${listRecipeNames().length})`;
  return askText(terminal, `Base URL: every path is below it; or a curl line; or ${recipes}`, check);
}

/** A host alone is one of HTTPS, but this machine. */
export function toUrl(word: string): string {
  if (word === "" || /^[a-z][\w+.-]*:\/\//i.test(word)) return word;
  return `${/^(?:localhost|127\.0\.0\.1)(?=[:/]|$)/i.test(word) ? "http" : "https"}://${word}`;
}

/**
 * The record of a known API that comes with the package.
 *
 * @returns undefined for an address.
 * @throws CommandError 2 for a word that is neither, with the nearest name.
 */
export function readRecipe(word: string, terminal: Terminal): Description | undefined {
  const name = findRecipe(word);
  if (name === undefined) {
    const mistake = findMistake(word);
    if (mistake === undefined) return undefined;
    throw createUsageError(mistake, "api-sources recipes");
  }
  const { note, record } = readNote(name);
  const { about, change = [], unchecked = [] } = note;
  const notes = [about];
  if (change.length > 0)
    notes.push(`Examples to replace: ${change.map((field) => `api.${field}`).join(", ")}.`);
  if (unchecked.length > 0) notes.push(`Not checked against the documentation: ${unchecked.join(", ")}.`);
  const imported = { record, knowsAuth: true, secrets: {}, servers: [], schemes: [], notes };
  const readAs = async (): Promise<Imported> => {
    for (const each of notes) terminal.note(`Recipe: ${each}`);
    return imported;
  };
  return { imported, readAs };
}
