/** Finds a source of a toolkit by its slug. */

import { notConfigured } from "../core/base/errors.js";
import type { ApiSource } from "../core/record/api-source.js";

/** @throws ApiSourceError `unknown_source`, which lists the slugs of the toolkit. */
export function findSource(sources: readonly ApiSource[], slug: string): ApiSource {
  const source = sources.find((each) => each.slug === slug);
  if (source !== undefined) return source;
  const slugs = sources.map((each) => each.slug);
  throw notConfigured(
    "unknown_source",
    `This toolkit has no source "${slug}".`,
    `Use one of: ${slugs.join(", ")}.`,
  );
}
