/** The beginnings of `add`: a description, or a recipe, the record of a known API; and which variables such a record may send. */

import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { suggest } from "../core/base/suggest.js";
import {
  listCredentialVariables,
  listGrantVariables,
} from "../core/credentials/credential-variables.js";
import type { ApiSource } from "../core/record/api-source.js";
import { listUsedNames } from "../core/record/used-names.js";
import { findProblem } from "./draft.js";
import { listOtherHosts, readHost } from "./hosts.js";
import type { Imported, ImportedRecord } from "./import/imported.js";
import { isCurl, isWholeCurl } from "./import/read-curl.js";
import type { AddFlags } from "./record-flags.js";
import {
  askText,
  askYesNo,
  CommandError,
  createUsageError,
  terminal,
  writeTable,
} from "./terminal.js";
import { type CommonFlags, readVariable } from "./workspace.js";

/** Reads a description. Its record names its variables by the name, which is known after the first reading. */
export type Description = (name?: string) => Promise<Imported>;

/** Reads a text: it throws ApiSourceError `invalid_input` for one that can't be read. */
export function importText(text: string, { baseUrl, from }: AddFlags): Description {
  const file = from === "-" ? undefined : from;
  return async (name) => {
    const { readDescription } = await import("./import/read-description.js");
    const imported = await readDescription(text, { baseUrl, name, file });
    return imported.document === undefined ? imported : addRecipe(imported);
  };
}

/** Names the recipe of the same host. What a document does not say of the credential is as the recipe has it: how it is sent, or the word before it. */
function addRecipe(imported: Imported): Imported {
  const { record, notes, knowsAuth } = imported;
  const host = readHost(record.api.baseUrl);
  const recipe = readRecipes().find((each) => readHost(each.record.api.baseUrl) === host);
  if (recipe === undefined) return imported;
  const whole = `api-sources add ${recipe.name} takes the recipe of this host that the package has.`;
  const { authType, headerName, queryParam, authScheme } = recipe.record.api;
  const isWordOpen = record.api.authScheme === "" && authType === "bearer";
  if (knowsAuth && !isWordOpen) return { ...imported, notes: [...notes, whole] };
  const auth = isWordOpen ? { authScheme } : { authType, headerName, queryParam, authScheme };
  return {
    ...imported,
    record: { ...record, api: { ...record.api, ...auth } },
    knowsAuth: true,
    notes: [...notes, `The credential is sent as the recipe ${recipe.name} sends it. ${whole}`],
  };
}

/**
 * Asks which variables of this machine a record that was imported may send, and to where: only those that the user agreed to.
 *
 * A document chooses the name of the source, and so the names of its variables, and also the hosts: those of the API and of its
 * authorization server. A value in a host is sent when the host is looked up. Without this check a document with the title of a known API
 * and another server would receive that API's key. Neither a test nor a later call may send a variable that the user did not name or
 * agree to. A value that the document gives does not replace one of the environment, which later calls read first: so a variable that is
 * set is asked about in any case.
 *
 * @throws CommandError 2 without a terminal, 1 where the person refuses; nothing is sent or saved then.
 */
export async function confirmVariables(source: ApiSource, flags: AddFlags): Promise<void> {
  const { authType, baseUrl } = source.api;
  const credentials = authType === undefined ? [] : listCredentialVariables(source);
  const names = new Set([...credentials, ...listGrantVariables(source), ...listUsedNames(source)]);
  const others = listOtherHosts(source).filter(({ receivesSecrets }) => receivesSecrets);
  const hosts = [...new Set([readHost(baseUrl), ...others.map(({ host }) => host)])].join(" and ");
  for (const name of names) {
    const isAgreed = flags.useVariable?.includes(name) === true;
    if (isAgreed || (await readVariable(name)) === undefined) continue;
    const message = `The imported document would send ${name} of your environment to ${hosts}.`;
    if (!terminal.asks(flags))
      throw createUsageError(
        `${message} Nothing was sent or saved.`,
        `api-sources add ... --use-variable ${name}, or --slug another_name`,
      );
    if (!(await askYesNo(`${message} Allow that?`)))
      throw new CommandError(
        1,
        "Nothing was sent or saved. --slug gives the source other variables.",
      );
  }
}

interface Recipe {
  readonly name: string;
  readonly record: ImportedRecord;
  /** The part of its file that is not the record. */
  readonly note: {
    /** Facts that a user of the API has to know. */
    readonly about: string;
    /** The month in which it was compared with the vendor's documentation. */
    readonly checked: string;
    /** The fields below `api` whose values are examples. */
    readonly change?: readonly string[];
    /** The fields that the vendor's documentation does not have. */
    readonly unchecked?: readonly string[];
  };
}

/** The recipes, in the order of their names. */
function readRecipes(): Recipe[] {
  const place = createRequire(import.meta.url).resolve("langchain-api-sources/package.json");
  const folder = join(dirname(place), "recipes");
  const names = readdirSync(folder).flatMap((file) => /^(.+)\.json$/.exec(file)?.[1] ?? []);
  return names.sort().map((name) => {
    const { "x-recipe": note, ...record } = JSON.parse(
      readFileSync(join(folder, `${name}.json`), "utf8"),
    );
    return { name, note, record };
  });
}

/** Prints each recipe with what to know about its API. */
export async function printRecipes(flags: CommonFlags): Promise<number> {
  const recipes = readRecipes();
  const plain = recipes.map(({ name, note, record }) => {
    return { name, api: record.name, baseUrl: record.api.baseUrl, ...note };
  });
  const rows = recipes.map(({ name, note: { about } }) => [
    name,
    about.split(/(?<=[.)])\s/)[0] ?? "",
  ]);
  terminal.printResult(flags, plain, writeTable(["RECIPE", "WHAT TO KNOW"], rows));
  if (flags.json !== true) terminal.note("Begin with one: api-sources add NAME");
  return 0;
}

/** Asks for the base URL, a curl line as documentations have them, or the name of a recipe. */
export async function askBeginning(): Promise<string> {
  const check = (word: string): string | undefined => {
    if (isCurl(word))
      return isWholeCurl(word)
        ? undefined
        : "A line of several lines: paste it to api-sources add --from -";
    try {
      if (word !== "" && readRecipe(word) !== undefined) return undefined;
    } catch (error) {
      return String(Object(error).message);
    }
    return findProblem({ api: { baseUrl: toUrl(word) } }, "api.baseUrl");
  };
  const recipes = `a recipe such as github (api-sources recipes lists ${readRecipes().length})`;
  return askText(`Base URL: every path is below it; or a curl line; or ${recipes}`, check);
}

/** A host alone is one of HTTPS, but this machine. */
export function toUrl(word: string): string {
  if (word === "" || /^[a-z][\w+.-]*:\/\//i.test(word)) return word;
  return `${/^(?:localhost|127\.0\.0\.1)(?=[:/]|$)/i.test(word) ? "http" : "https"}://${word}`;
}

/**
 * The record of a known API that comes with the package. Both spellings of its name are right, `google_calendar` and `google-calendar`.
 *
 * @returns undefined for an address or a path.
 * @throws CommandError 2 for a word that is neither, with the nearest name.
 */
export function readRecipe(word: string): Imported | undefined {
  const recipes = readRecipes();
  const recipe = recipes.find(({ name }) => name === word.toLowerCase().replaceAll("_", "-"));
  if (recipe === undefined) {
    if (/[.:/]/.test(word)) return undefined;
    const nearest = suggest(
      word,
      recipes.map(({ name }) => name),
    )?.name;
    const near = nearest === undefined ? "" : ` Nearest: ${nearest}.`;
    throw createUsageError(
      `${word} is neither a URL nor the name of a recipe.${near}`,
      "api-sources recipes",
    );
  }
  const { about, change = [], unchecked = [] } = recipe.note;
  const notes = [about];
  if (change.length > 0)
    notes.push(`Examples to replace: ${change.map((field) => `api.${field}`).join(", ")}.`);
  if (unchecked.length > 0)
    notes.push(`Not checked against the documentation: ${unchecked.join(", ")}.`);
  const { record } = recipe;
  return { record, knowsAuth: true, secrets: {}, notes };
}
