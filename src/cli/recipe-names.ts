/** Where the recipes are, and their names: `--help` needs no more of them. */

import { readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

/** The folder of the recipes. */
export function findRecipes(): string {
  return join(
    dirname(createRequire(import.meta.url).resolve("langchain-api-sources/package.json")),
    "recipes",
  );
}

/** The names of the recipes, in their order. */
export function listRecipeNames(): string[] {
  const files = readdirSync(findRecipes()).filter((file) => file.endsWith(".json"));
  return files.map((file) => file.slice(0, -".json".length)).sort();
}

/** The lines of `--help` about recipes. */
export function writeRecipeHelp(): string {
  return `\nRecipes, for add NAME: ${listRecipeNames().join(", ")}`;
}
