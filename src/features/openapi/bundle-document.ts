/** One document of a document and the files beside it: what it refers to is in it, and no reference leads to a file any more. */

import type { Plain } from "./api-document.js";
import { type DocumentFiles, unreadMark } from "./document-files.js";

/** The member that has the other files, by their numbers. A reader of references leaves those in an extension as they are. */
const filesMember = "x-files";

/**
 * Takes the files of a document, whose references name files by their numbers.
 *
 * @returns undefined for a document that refers to nothing but itself: it stays as it is.
 */
export function bundleDocument(files: DocumentFiles): Plain | undefined {
  if (!files.hasOthers && files.unread.size === 0) return undefined;
  const [top, ...others] = files.readAll().map((value) => copyWithReferences(value, files));
  const kept = others.flatMap((value, index) =>
    value === undefined ? [] : [[String(index + 1), value] as const],
  );
  const added = kept.length === 0 ? {} : { [filesMember]: Object.fromEntries(kept) };
  return { ...Object(top), ...added };
}

/** Copies plain data; a `$ref` outside of extensions names its place in the one document. The depth of a document is capped where it is read. */
function copyWithReferences(value: unknown, files: DocumentFiles): unknown {
  if (Array.isArray(value)) return value.map((item) => copyWithReferences(item, files));
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).map(([name, member]): [string, unknown] => {
    if (name.startsWith("x-")) return [name, member];
    if (name === "$ref" && typeof member === "string") return [name, placeReference(member, files)];
    return [name, copyWithReferences(member, files)];
  });
  return Object.fromEntries(members);
}

/** `2#/a` is `#/x-files/2/a`; a file that is not read keeps its name behind a mark, so that it is not read later either. */
function placeReference(reference: string, files: DocumentFiles): string {
  const [, number, fragment = ""] = /^(\d+)#(.*)$/s.exec(reference) ?? [];
  if (number === undefined) return reference;
  const { unread } = files.read(reference);
  if (unread !== undefined) return `${unreadMark}${unread}`;
  return number === "0" ? `#${fragment}` : `#/${filesMember}/${number}${fragment}`;
}
