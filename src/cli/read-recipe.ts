/** The records of known APIs that come with the package, by the names of their files. */

import { readdir, readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { Imported, ImportedRecord } from "../import/imported.js";
import type { Description } from "./import-description.js";
import type { Terminal } from "./terminal.js";

/** What a file of `recipes/` has beside the record. */
interface RecipeNote {
  /** What a user of the API has to know. */
  readonly about: string;
  /** The fields below `api` whose values are examples. */
  readonly change?: readonly string[];
  /** What was not found in the vendor's documentation. */
  readonly unchecked?: readonly string[];
}

/** @returns undefined for a word that is not the name of a recipe. */
export async function readRecipe(word: string, terminal: Terminal): Promise<Description | undefined> {
  // Any other word is an address.
  if (!/^[\w-]+$/.test(word)) return undefined;
  const manifest = createRequire(import.meta.url).resolve("langchain-api-sources/package.json");
  const directory = join(dirname(manifest), "recipes");
  const file = `${word.toLowerCase().replaceAll("_", "-")}.json`;
  if (!(await readdir(directory)).includes(file)) return undefined;
  const recipe: ImportedRecord & { readonly "x-recipe": RecipeNote } = JSON.parse(
    await readFile(join(directory, file), "utf8"),
  );
  const { "x-recipe": note, ...record } = recipe;
  const { about, change = [], unchecked = [] } = note;
  const imported: Imported = {
    record,
    knowsAuth: true,
    secrets: {},
    servers: [],
    schemes: [],
    notes: [
      about,
      ...(change.length === 0
        ? []
        : [`Examples to replace: ${change.map((field) => `api.${field}`).join(", ")}.`]),
      ...(unchecked.length === 0 ? [] : [`Not checked against the documentation: ${unchecked.join(", ")}.`]),
    ],
  };
  return {
    imported,
    readAs: async () => {
      for (const each of imported.notes) terminal.note(`Recipe: ${each}`);
      return imported;
    },
  };
}
