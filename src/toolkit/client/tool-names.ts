/** The option `toolNames`: other names for tools, where a host reserves the one that a record gives. */

import { quoteText } from "../../core/base/text.js";
import type { ApiSource } from "../../core/record/api-source.js";
import { reservedToolNames, toolNamePattern } from "../../core/record/record-schema.js";
import type { ClientOptions } from "./client-options.js";

/** The name of the tool of a source. Its slug, by which it is configured, stays the same. */
export function findToolName({ slug }: ApiSource, toolNames: ClientOptions["toolNames"]): string {
  return (toolNames && Object.hasOwn(toolNames, slug) && toolNames[slug]) || slug;
}

/** What is wrong with the names, a sentence for each: a form that some provider refuses, and two tools of one name. */
export function findNameProblems(
  toolNames: ClientOptions["toolNames"],
  sources: readonly ApiSource[],
): string[] {
  const named = new Map<string, string>();
  return sources.flatMap((source) => {
    const name: unknown = findToolName(source, toolNames);
    const place = `toolNames gives ${quoteText(source.slug, 64)} the name`;
    if (typeof name !== "string" || !toolNamePattern.test(name))
      return [`${place} ${quoteText(String(name), 64)}; it must match ${String(toolNamePattern)}.`];
    if (reservedToolNames.includes(name))
      return [`${place} ${quoteText(name)}, which a tool of the toolkit itself has.`];
    const other = named.get(name.toLowerCase());
    named.set(name.toLowerCase(), source.slug);
    return other === undefined || toolNames === undefined
      ? []
      : [`${place} ${quoteText(name)}, which the tool of ${quoteText(other, 64)} has too.`];
  });
}
