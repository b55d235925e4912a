/** Two sources whose tools, or whose environment variables, would have one name. */

import type { RecordProblem } from "../errors.js";
import type { ApiSource } from "./api-source.js";

/** A source and where it was read. */
export interface NamedSource {
  readonly source: ApiSource;
  readonly file?: string;
}

/**
 * Finds names that collide. Case and `-` against `_` make no difference: the environment variables of such sources
 * are the same, so that one source's credential would be sent to the other.
 */
export function findNameCollisions(sources: readonly NamedSource[]): RecordProblem[] {
  const first = new Map<string, NamedSource>();
  return sources.flatMap((named) => {
    const key = named.source.slug.toLowerCase().replaceAll("-", "_");
    const earlier = first.get(key);
    if (!earlier) first.set(key, named);
    return earlier ? [toProblem(named, earlier)] : [];
  });
}

function toProblem({ source, file }: NamedSource, earlier: NamedSource): RecordProblem {
  return {
    ...(file === undefined ? {} : { file }),
    source: source.name,
    path: "slug",
    given: JSON.stringify(source.slug),
    message: `is the tool's name that ${describeSource(earlier)} has too`,
    fix: 'Add a `slug` of its own to one of the two, such as "slug": "other_name".',
  };
}

function describeSource({ source, file }: NamedSource): string {
  const place = file === undefined ? source.api.baseUrl : file;
  return `"${source.name}" (${place}${source.api.baseUrl === place ? "" : `, ${source.api.baseUrl}`})`;
}
