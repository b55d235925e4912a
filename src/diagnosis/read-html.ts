/** Reads what an HTML page says of itself where an API's answer was expected. */

import type { ResponseBody } from "../body/response-body.js";
import { isObject } from "../json/shape.js";
import { dropStack } from "./drop-stack.js";

export type PageKind = "login" | "captive_portal" | "block" | "page";

export interface HtmlPage {
  /** Title and first heading. */
  readonly message?: string;
  readonly kind: PageKind;
}

/** How much of a page is looked at; a title stands near its top. */
const maxChars = 50_000;
/** An error page's `pre` begins with the error and goes on with its stack. */
const maxElementChars = 5_000;
const markup = /<(?:!doctype\s+html|html|head|body|title|meta|form|div|table|script|h1|p|a|br|center)\b/i;

/** Whether the body is a page and not merely plain text sent as `text/html`. */
export function isHtmlPage(body: ResponseBody): boolean {
  return body.kind === "html" && markup.test(body.text.slice(0, maxChars));
}

/** Title, first heading and what sort of page it is. */
export function readHtmlPage(body: ResponseBody): HtmlPage {
  const page = body.text.slice(0, maxChars);
  const title = titleOf(body) ?? contentOf(page, "title");
  const parts = [title, contentOf(page, "h1"), contentOf(page, "pre")].filter((part) => part !== undefined);
  const distinct = parts.filter(
    (part, index) =>
      !parts.slice(0, index).some((other) => other.includes(part)) &&
      !parts.slice(index + 1).some((other) => other.startsWith(`${part}:`)),
  );
  const message = distinct.length > 0 ? distinct.join(": ") : plainText(page).slice(0, 300);
  return { kind: kindOf(page), ...(message === "" ? {} : { message }) };
}

function titleOf(body: ResponseBody): string | undefined {
  const value = body.document;
  const title = isObject(value) ? value["title"] : undefined;
  return typeof title === "string" && title.trim() !== "" ? title.trim() : undefined;
}

/** The text of the first element of that name, found by plain search so that no page can make it slow. */
function contentOf(page: string, element: string): string | undefined {
  const lower = page.toLowerCase();
  const open = lower.search(new RegExp(`<${element}[\\s>]`));
  if (open < 0) return undefined;
  const start = lower.indexOf(">", open);
  const end = start < 0 ? -1 : lower.indexOf(`</${element}`, start);
  if (end < 0) return undefined;
  return plainText(page.slice(start + 1, Math.min(end, start + maxElementChars))) || undefined;
}

/** On one line, without the frames of a stack. */
function plainText(fragment: string): string {
  const text = withoutElement(withoutElement(fragment, "script"), "style")
    .replace(/<(?:br|\/?p|\/?li|\/?div|\/?tr)\b[^<>]*>/gi, "\n")
    .replace(/<[^<>]*>/g, " ")
    .replace(/&(?:#39|apos);/g, "'")
    .replace(/&quot;/g, '"')
    .replace(/&lt;/g, "<")
    .replace(/&gt;/g, ">")
    .replace(/&nbsp;/g, " ")
    .replace(/&amp;/g, "&");
  return dropStack(text).replace(/\s+/g, " ").trim();
}

function withoutElement(fragment: string, element: string): string {
  const kept: string[] = [];
  const lower = fragment.toLowerCase();
  let position = 0;
  for (let open = lower.indexOf(`<${element}`); open >= 0; open = lower.indexOf(`<${element}`, position)) {
    kept.push(fragment.slice(position, open));
    const close = lower.indexOf(`</${element}`, open);
    if (close < 0) return kept.join(" ");
    position = close + element.length + 2;
  }
  return [...kept, fragment.slice(position)].join(" ");
}

function kindOf(page: string): PageKind {
  if (
    /captive|wi-?fi (?:login|access)|hotspot|network (?:login|authentication required)|accept the terms/i.test(
      page,
    )
  ) {
    return "captive_portal";
  }
  if (
    /captcha|just a moment|attention required|cf-error|access denied|request blocked|web application firewall|ray id/i.test(
      page,
    )
  ) {
    return "block";
  }
  if (
    /type\s?=\s?["']?password|\blog[ -]?in\b|\bsign[ -]?in\b|single sign-on|\bsso\b|samlrequest/i.test(page)
  ) {
    return "login";
  }
  return "page";
}
