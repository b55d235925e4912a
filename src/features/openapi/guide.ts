/** A guide in Markdown: its headings, a part of it, and its first line. */

import { suggest } from "../../core/base/suggest.js";
import { clipText } from "../../core/base/text.js";
import { dropInvisible } from "./invisible.js";

const maxParts = 2_000;

/** A part of a guide, with its heading in its text, and the parts below it. */
export interface GuidePart {
  readonly heading: string;
  readonly text: string;
}

export interface Guide {
  readonly parts: readonly GuidePart[];
  /** The first line of prose, which the map begins with. */
  readonly line: string | undefined;
}

/** ATX headings (`## Title`) outside of fenced code (CommonMark 4.2, 4.5). */
export function parseGuide(text: string): Guide {
  const lines = text.split(/\r\n|\r|\n/).map(dropInvisible);
  const starts: { readonly at: number; readonly level: number; readonly heading: string }[] = [];
  let fence: string | undefined;
  for (const [at, line] of lines.entries()) {
    const mark = /^ {0,3}(`{3}|~{3})/.exec(line)?.[1];
    if (mark !== undefined && (fence === undefined || fence === mark))
      fence = fence === mark ? undefined : mark;
    const [, hashes, heading] = /^ {0,3}(#{1,6})\s+(.{1,300})$/.exec(line) ?? [];
    if (
      fence === undefined &&
      hashes !== undefined &&
      heading !== undefined &&
      starts.length < maxParts
    )
      starts.push({ at, level: hashes.length, heading: heading.replace(/\s#+\s*$/, "").trim() });
  }
  const parts = starts.map(({ at, level, heading }, index) => {
    const end = starts.slice(index + 1).find((next) => next.level <= level)?.at;
    return { heading, text: lines.slice(at, end).join("\n").trim() };
  });
  // Not a heading, a table, or a mark alone.
  const first = lines
    .map((line) => line.replace(/^[\s>*+-]+/, ""))
    .find((line) => /\p{L}/u.test(line) && !/^(?:#|```|~~~|\||<!--)/.test(line));
  return { parts, line: first && clipText(first.replace(/\*\*|__/g, ""), 200) };
}

/** The part of that heading, or nearly that. */
export function findGuidePart({ parts }: Guide, heading: string): GuidePart | undefined {
  const headings = parts.map((part) => part.heading);
  const nearest = suggest(heading.replace(/^#+\s*/, "").trim(), headings)?.name;
  return parts.find((part) => part.heading === nearest);
}
