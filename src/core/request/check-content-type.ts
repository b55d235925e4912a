/** Decides which media types a body, a part and a file may be sent with, and how a body is written under one. */

import { refusedByPolicy } from "../base/errors.js";
import { quoteText } from "../base/text.js";
import type { BodyFormat } from "../record/api-source.js";
import type { WrittenFormat } from "./serialize-body.js";

/** `application/json`, `application/merge-patch+json` and their like. */
const jsonType = /^(?:application|text)\/(?:[\w.!#$&^-]+\+)?json$/i;
/** Types of text, and those of `application` that name a text format. */
const textType =
  /^(?:text\/[\w.+-]+|application\/(?:(?:[\w.!#$&^-]+\+)?(?:xml|yaml)|(?:x-)?(?:ndjson|jsonl(?:ines)?|json-seq|yaml|toml)|sparql-(?:query|update)|graphql|sql|(?:java|ecma)script|x-sh|xquery|cql|n-triples|n-quads|trig|rtf|edn|jwt|jose))$/i;
const formType = /^application\/x-www-form-urlencoded$/i;
/** Parameters (RFC 9110, section 5.6.6), such as `;odata=verbose`, `; version=2`. A charset can only be UTF-8: that is what is sent. */
const parameter =
  /^[!#$%&'*+.^_`|~\w-]{1,60}=(?:[!#$%&'*+.^_`|~\w-]{1,200}|"[^"\\\p{Cc}]{0,200}")$/u;
const charset = /^charset=(?!"?utf-8"?$)/i;

/** How a body is written under a media type: as JSON, as a form, or as the text that was given; undefined for what can't be sent. */
export function readBodyFormat(contentType: string): WrittenFormat | undefined {
  const [type = "", ...parameters] = contentType.split(";").map((part) => part.trim());
  const isWrong = (given: string): boolean => !parameter.test(given) || charset.test(given);
  if (parameters.some(isWrong)) return undefined;
  if (jsonType.test(type)) return "json";
  if (formType.test(type)) return "form";
  return textType.test(type) ? "text" : undefined;
}

/** A type that no body can be written under would misname its bytes. @throws ApiSourceError `refused_by_policy` */
export function checkContentType(value: string): void {
  if (readBodyFormat(value) !== undefined) return;
  throw refusedByPolicy(
    `A body of the Content-Type ${quoteText(value)} can't be sent.`,
    'Bodies are JSON, an urlencoded form, text (plain text, XML, CSV, NDJSON, YAML), multipart/form-data, or a kept file as {"$file":"r_…"}.',
  );
}

/** A server that parses a body of this type reads parts or requests in it that no rule has judged. */
const carrierType = /^(?:multipart|message)\/|^application\/http$/i;
const structuredType = /json|urlencoded/i;

/**
 * Judges the type that a file is sent with. It may be any type of bytes, and of those that the package writes itself only one that fits the
 * source, as for every other body.
 *
 * @throws ApiSourceError `refused_by_policy`
 */
export function checkFileType(contentType: string, format: BodyFormat | undefined): void {
  const [, name = ""] = /^([\w!#$&^.+-]+\/[\w!#$&^.+-]+) *(?:;|$)/.exec(contentType) ?? [];
  const written = readBodyFormat(contentType);
  const isOther = written !== undefined && format !== undefined && written !== format;
  const isUnread = written === undefined && structuredType.test(name);
  if (name !== "" && !carrierType.test(name) && !isUnread && !isOther) return;
  throw refusedByPolicy(
    `A file can't be sent to this source as ${quoteText(contentType)}.`,
    "Send it as application/octet-stream, or as a part of a multipart/form-data body.",
  );
}
