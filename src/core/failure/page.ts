/** A web page or a broken document in place of an API's response: its title, its first line, and whether it has a password field. */

import { isObject, toText } from "../base/shape.js";
import type { ResponseBody } from "../body/response-body.js";
import type { SentRequest } from "./facts.js";
import { cleanText, dropStack } from "./shown-text.js";

/** How much of a page is searched. */
const maxCharacters = 50_000;
const markup =
  /<(?:!doctype\s+html|html|head|body|title|meta|form|div|table|script|h1|p|a|br|center)\b/i;

const passwordField = /<input\b[^>]{0,500}\btype\s?=\s?["']?password\b/i;

/** Its title, its title and first line, and whether it is a login. Undefined when the body is not a page, or only plain text sent as `text/html`. */
export function readPage({ kind, text, document }: ResponseBody) {
  const head = text.slice(0, maxCharacters);
  if (kind !== "html" || !markup.test(head)) return undefined;
  const value = isObject(document) ? document : {};
  const title = toText(value["title"]);
  const lines = dropStack(toText(value["text"])?.slice(0, 5_000) ?? "").split("\n");
  const message = joinTitle(title, lines.map((line) => line.trim()).find(Boolean));
  return { title: title && cleanText(title, 200), message, isLogin: passwordField.test(head) };
}

function joinTitle(title: string | undefined, line: string | undefined): string | undefined {
  if (title === undefined || line?.startsWith(`${title}:`)) return line;
  return line === undefined || title.includes(line) ? title : `${title}: ${line}`;
}

/** Whether a page is the right answer: the document declares HTML, `Accept` names it, or the path ends in `.html`. */
export function hasAskedForPage({ accept = "", path, declaresPage }: SentRequest): boolean {
  return (
    declaresPage === true ||
    /text\/html|application\/xhtml\+xml/i.test(accept) ||
    /\.x?html?$/i.test(path.split("?")[0] ?? "")
  );
}

/**
 * Why a body that is declared as JSON can't be read; undefined when it can, or is declared as something else. A wrong content type with
 * readable content is not a failure, nor is an empty body.
 */
export function findBrokenJson(body: ResponseBody): string | undefined {
  const { contentType = "", kind, text, partial, warnings, isTooLarge } = body;
  if (!/^[\w.+-]+\/(?:[\w.-]+\+)?(?:x-|nd|x-nd)?json(?:lines|l)?$/.test(contentType))
    return undefined;
  const declared = `The body is declared as ${cleanText(contentType, 80)}`;
  if (kind === "binary") return `${declared} but is binary data.`;
  // Larger than what a document is made of, but whole.
  if (isTooLarge) return undefined;
  const isBroken = kind === "text" && /^\s*[[{"]/.test(text.slice(0, 1_000));
  if (partial === undefined && !isBroken) return undefined;
  const why = partial?.why ?? warnings?.join(" ") ?? "it is not one JSON document";
  return `${declared} but is broken or truncated: ${cleanText(why, 200)}`;
}
