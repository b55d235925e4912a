/** The name and the tagline of an API, from the words of its document. */

import { clipText } from "../../core/base/text.js";
import { asString, type Plain } from "../../features/openapi/api-document.js";

/** Words that speak of the document instead of the API: `GitHub's official OpenAPI spec`. */
const ofDocument = /\b(?:open ?api|swagger|specs?|specification)\b/i;

/** `The Shop REST API v2` is called `Shop`. @returns undefined for a title that names only the document */
export function readTitle(info: Plain): string | undefined {
  const title = (asString(info["title"]) ?? "")
    .replace(/\s*\((?:preview|alpha|beta|v?\d[\d.]*)\)$/i, "")
    .replace(/(?:\s+(?:open ?api|swagger|spec|specification|reference|documentation|docs))+$/i, "")
    .replace(/^the\s+|\s*\b(?:(?:rest|http) )?api\b\s*(?:v?\d[\d.]*)?$/gi, "")
    .replace(/['’]s$|[\s:–-]+$/, "");
  return title === "" || ofDocument.test(title) ? undefined : clipText(title, 60);
}

/** The first sentence about the API, without headings and the marks of Markdown and HTML. */
export function readTagline(info: Plain): string | undefined {
  const text = asString(info["summary"]) ?? asString(info["description"]) ?? "";
  const sentence = text
    .slice(0, 5_000)
    .split("\n")
    .filter((line) => !/^\s*(?:#|[=*-]{3,}\s*$)/.test(line))
    .flatMap((line) => dropMarks(line).split(/(?<=\.)\s+(?=[\p{Lu}\p{Lo}])/u))
    .find((each) => /[\p{L}\p{N}]/u.test(each) && !ofDocument.test(each));
  return sentence && clipText(sentence, 160);
}

function dropMarks(line: string): string {
  return line
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/<\/?[a-z][^<>]*>/gi, "")
    .replace(/\*+|__|`/g, "")
    .trim();
}
