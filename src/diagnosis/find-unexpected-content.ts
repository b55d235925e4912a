/** Tells a 2xx answer that isn't one: a page instead of an API's answer, or a broken document. */

import type { ResponseBody } from "../body/response-body.js";
import { cleanText } from "./clean-text.js";
import { type HintInput, type SentRequest, writeNote } from "./hint-input.js";
import { isHtmlPage, type PageKind, readHtmlPage } from "./read-html.js";

export interface UnexpectedContent {
  readonly message: string;
  /** What it most probably means. */
  readonly meaning: string;
}

const pageMeanings: Readonly<Record<PageKind, string>> = {
  login:
    "It looks like a login page: the credential is missing or was not seen, or the base URL is the website's and not the API's.",
  captive_portal: "It looks like the page of a network (a captive portal or proxy) between here and the API.",
  block: "It looks like a block page of a firewall or bot protection in front of the API.",
  page: "Probably the base URL or the path is the website's and not the API's, or a proxy answered.",
};

/**
 * A page is expected where `Accept` names HTML or the path ends in `.html`. A wrong content type with readable content is not
 * a failure, nor is an empty body; a body declared as JSON that is broken, cut off or binary is.
 */
export function findUnexpectedContent(
  body: ResponseBody,
  request: SentRequest,
  bodyIsCut: boolean,
): UnexpectedContent | undefined {
  if (isHtmlPage(body) && !asksForHtml(request)) return describePage(body);
  return isJsonType(body.contentType) && !bodyIsCut ? findBrokenJson(body) : undefined;
}

function asksForHtml({ accept, path }: SentRequest): boolean {
  const last = path.split("?")[0] ?? "";
  return /text\/html|application\/xhtml\+xml/i.test(accept ?? "") || /\.(?:x?html?)$/i.test(last);
}

function describePage(body: ResponseBody): UnexpectedContent {
  const page = readHtmlPage(body);
  const title = page.message === undefined ? "" : `: ${cleanText(page.message, 200)}`;
  return { message: `The API answered with an HTML page${title}`, meaning: pageMeanings[page.kind] };
}

function isJsonType(contentType: string | undefined): boolean {
  return (
    contentType !== undefined && /^[\w.+-]+\/(?:[\w.-]+\+)?(?:x-|nd|x-nd)?json(?:lines|l)?$/.test(contentType)
  );
}

function findBrokenJson(body: ResponseBody): UnexpectedContent | undefined {
  const declared = `The body is declared as ${cleanText(body.contentType ?? "", 80)}`;
  if (body.kind === "binary") {
    return {
      message: `${declared} but is binary data.`,
      meaning: "A proxy or a wrong encoding may have spoilt it.",
    };
  }
  // Larger than what a document is made of, but whole.
  if (body.isTooLarge) return undefined;
  const isCutOff = body.partial !== undefined;
  if (!isCutOff && !(body.kind === "text" && /^\s*[[{"]/.test(body.text.slice(0, 1_000)))) return undefined;
  const why = body.partial?.why ?? body.warnings?.join(" ") ?? `it begins with ${cleanText(body.text, 60)}`;
  return {
    message: `${declared} but is broken or was cut off: ${cleanText(why, 200)}`,
    meaning: "What could be read of it is in data and may lack its end.",
  };
}

/** The hint for such an answer: what it means, what a write did, who can change it. */
export function hintForUnexpectedContent(input: HintInput, meaning: string): string {
  const base = `Check the path first; if it is right, the user should check the base URL ${input.source.api.baseUrl} and the credential.`;
  const advice = input.retryable ? "Repeat the call once; if it breaks again, ask for less at once." : base;
  return cleanText(`${meaning} ${writeNote(input)}${advice}`, 1_000);
}
