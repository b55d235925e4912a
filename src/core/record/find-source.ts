/** A source by the slug that a model wrote. */

import { type ApiSourceError, invalidInput } from "../base/errors.js";
import { isAbsent, parseString } from "../base/input.js";
import { suggest } from "../base/suggest.js";
import { quoteText } from "../base/text.js";
import type { ApiSource } from "./api-source.js";

/** The most slugs that a hint lists. */
const maxListed = 50;

/** The source whose slug a value is, spaces and line breaks around it aside; undefined where none has it. The only source needs no name. */
export function matchSource(sources: readonly ApiSource[], given: unknown): ApiSource | undefined {
  const [only] = sources;
  if (sources.length === 1 && only !== undefined && namesNone(given)) return only;
  return sources.find(({ slug }) => namesSlug(given, slug));
}

/** Whether a value is a slug. Models add spaces and line breaks. */
export function namesSlug(given: unknown, slug: string): boolean {
  return typeof given === "string" && given.trim() === slug;
}

const namesNone = (given: unknown): boolean => isAbsent(given) || namesSlug(given, "");

/**
 * Finds a source by its slug, as {@link matchSource} does.
 *
 * @param isShown - Whether an error may name a source. @default all
 * @throws ApiSourceError as {@link refuseSource} makes it.
 */
export function findSource(
  sources: readonly ApiSource[],
  given: unknown,
  isShown?: (source: ApiSource) => boolean,
): ApiSource {
  const found = matchSource(sources, given);
  if (found === undefined) throw refuseSource(sources, given, isShown);
  return found;
}

/**
 * Makes the error for a value that names no source: `invalid_input` that names the nearest slug, else those that there are.
 *
 * @throws ApiSourceError `invalid_input` for a value that is no text.
 */
export function refuseSource(
  sources: readonly ApiSource[],
  given: unknown,
  isShown: (source: ApiSource) => boolean = () => true,
): ApiSourceError {
  const wanted = parseString("source", given)?.trim() ?? "";
  const slugs = sources.filter(isShown).map(({ slug }) => slug);
  const nearest = suggest(wanted, slugs)?.name;
  const list =
    slugs.length === 0
      ? "No source is available in this run."
      : `Give one of: ${slugs.slice(0, maxListed).join(", ")}.`;
  return invalidInput(
    wanted === "" ? "source is missing." : `There is no source ${quoteText(wanted, 60)}.`,
    nearest === undefined ? list : `Did you mean ${nearest}? ${list}`,
  );
}
