/** A source by the slug that a model wrote. */

import { invalidInput } from "../base/errors.js";
import { parseString } from "../base/input.js";
import { suggest } from "../base/suggest.js";
import { quoteText } from "../base/text.js";
import type { ApiSource } from "./api-source.js";

/** The most slugs that a hint lists. */
const maxListed = 50;

/**
 * Finds a source by its slug; the only one needs no name.
 *
 * @param isShown - Whether an error may name a source. @default all
 * @throws ApiSourceError `invalid_input` that names the nearest slug, else those that there are.
 */
export function findSource(
  sources: readonly ApiSource[],
  given: unknown,
  isShown: (source: ApiSource) => boolean = () => true,
): ApiSource {
  const wanted = parseString("source", given)?.trim() ?? "";
  const [only] = sources;
  if (wanted === "" && only !== undefined && sources.length === 1) return only;
  const found = sources.find(({ slug }) => slug === wanted);
  if (found !== undefined) return found;
  const slugs = sources.filter(isShown).map(({ slug }) => slug);
  const nearest = suggest(wanted, slugs)?.name;
  const list =
    slugs.length === 0
      ? "No source is available in this run."
      : `Give one of: ${slugs.slice(0, maxListed).join(", ")}.`;
  throw invalidInput(
    wanted === "" ? "source is missing." : `There is no source ${quoteText(wanted, 60)}.`,
    nearest === undefined ? list : `Did you mean ${nearest}? ${list}`,
  );
}
