/** How an operation takes a call, as the API's document has it; what the call and the record say goes before it. */

import { readBodyFormat } from "./check-content-type.js";
import type { QueryStyles } from "./query-style.js";
import type { WrittenFormat } from "./serialize-body.js";

export interface OperationForm {
  /** Its path as calls have it, with parameters in braces; what the document writes behind `?` or `#` included. */
  readonly path: string;
  /** How it takes lists and objects in them. */
  readonly queryStyles: QueryStyles;
  /** The bodies that it takes, in the document's order; none for an operation without one. */
  readonly bodies: readonly BodyForm[];
  /** The path that its own server has between the base URL and the path of the call, such as `/upload`; absent for the document's server. */
  readonly prefix?: string | undefined;
  /** Its own server, where that is not the base URL's or below: it cannot be called. */
  readonly elsewhere?: string | undefined;
}

/** A body that an operation takes. */
export interface BodyForm {
  /** The media type as it is sent, such as `application/merge-patch+json`. */
  readonly type: string;
  readonly format: WrittenFormat | "multipart" | "bytes";
  /** Whether its JSON is one string. */
  readonly isString?: boolean;
  /** How a form takes lists and objects, by name. */
  readonly styles: QueryStyles;
  /** The media types of parts, by name. */
  readonly partTypes?: PartTypes;
}

/** A query parameter of an operation, or a member of its body. */
export interface DescribedParameter {
  readonly place: "query" | "body";
  /** As a call has it: `page[cursor]`, and `paging.cursor` in a body. */
  readonly name: string;
  readonly isRequired: boolean;
  readonly description: string | undefined;
}

export type PartTypes = ReadonlyMap<string, string>;

/** A type and subtype, each parameter a token or a plain quoted text. */
const concreteType =
  /^[\w!#$&^.+-]{1,100}\/[\w!#$&^.+-]{1,100}(?: *; *[\w.-]{1,40}=(?:[\w.+/-]{1,100}|"[\w .+/:-]{1,100}"))*$/;
const otherCharset = /; *charset=(?!"?utf-8"?(?:;|$))/i;
/** A receiver reads parts or requests in such a body, which no rule has judged. */
const carrier = /^(?:multipart\/(?!form-data\b)|message\/|application\/http\b)/i;

/** How a body of a media type of a document is sent; undefined for one that this package cannot write. */
export function readBodyForm(
  given: string,
  more: Pick<BodyForm, "isString" | "styles" | "partTypes">,
): BodyForm | undefined {
  const type = findConcrete(given.trim().toLowerCase());
  if (!concreteType.test(type) || otherCharset.test(type) || carrier.test(type)) return undefined;
  return { ...more, type, format: findFormat(type) };
}

/** The media type that a document states for a part; undefined for a list, a range, and what a part can't be written in. */
export function readPartType(given: string): string | undefined {
  if (/[,*]/.test(given)) return undefined;
  const form = readBodyForm(given, { styles: new Map() });
  return form?.format === "multipart" ? undefined : form?.type;
}

/** A range of media types as the one of them that is sent. */
function findConcrete(type: string): string {
  if (/^(?:\*|application)\/\*/.test(type)) return "application/json";
  return type.startsWith("text/*") ? "text/plain" : type;
}

function findFormat(type: string): BodyForm["format"] {
  if (type.startsWith("multipart/")) return "multipart";
  if (isJsonType(type)) return "json";
  const format = readBodyFormat(type.replace(/;.*/s, "").trim());
  return format ?? "bytes";
}

/** The body form that a value is written in; undefined where the operation takes none that this package can write. */
export function chooseBody(bodies: readonly BodyForm[], value: unknown): BodyForm | undefined {
  const ofFormat = (format: BodyForm["format"]): BodyForm[] =>
    bodies.filter((each) => each.format === format);
  const json = ofFormat("json");
  return (
    json.find(({ type }) => isPlainJson(type)) ??
    chooseVariant(json, value) ??
    ofFormat("form")[0] ??
    ofFormat("multipart")[0] ??
    ofFormat("text")[0] ??
    ofFormat("bytes")[0]
  );
}

/** JSON, or a variant such as `application/merge-patch+json`. */
export function isJsonType(type: string): boolean {
  return /^[^;]*[/+]json *(?:;|$)/i.test(type);
}

/** JSON in lines, such as NDJSON. */
export function isLinesType(type: string): boolean {
  return /^application\/(?:x-)?(?:ndjson|jsonl(?:ines)?) *(?:;|$)/i.test(type);
}

/** JSON itself, and not a variant such as `application/json-patch+json`. */
export function isPlainJson(type: string): boolean {
  return /^(?:application|text)\/json *(?:;|$)/.test(type);
}

/** A JSON patch is a list (RFC 6902); the other variants are mostly objects. */
function chooseVariant(variants: readonly BodyForm[], value: unknown): BodyForm | undefined {
  const isPatch = ({ type }: BodyForm): boolean => type.startsWith("application/json-patch+json");
  const isList = Array.isArray(value) || (typeof value === "string" && /^\s*\[/.test(value));
  return variants.find((each) => isPatch(each) === isList) ?? variants[0];
}

/** Media types whose bodies are bytes: a text under one of them would not be what it says. */
const byteType = /^(?:image|audio|video|font)\/|[/+.-](?:pdf|zip|gzip|tar|octet-stream)\b/;

/** Whether a text can be the whole body under a media type of the document. */
export function takesText({ type }: BodyForm): boolean {
  return !byteType.test(type) || type.startsWith("application/octet-stream");
}
