/** Decides how a body is written: by the Content-Type of the call, the record's bodyFormat or Content-Type, the operation of the document, in this order. */

import { invalidInput } from "../base/errors.js";
import { quoteText } from "../base/text.js";
import type { ApiSettings } from "../record/api-source.js";
import { readBodyFormat } from "./check-content-type.js";
import {
  type BodyForm,
  chooseBody,
  isLinesType,
  type OperationForm,
  takesText,
} from "./operation-form.js";
import type { BodyWriting } from "./serialize-body.js";

/** The Content-Types that are named before a body is written. */
export interface NamedTypes {
  readonly ofCall: string | undefined;
  /** A constant of the record. */
  readonly ofRecord: string | undefined;
}

/** @throws ApiSourceError `invalid_input` for a body that is not bytes, where the operation takes bytes alone */
export function findWriting(
  { bodyFormat }: Pick<ApiSettings, "bodyFormat">,
  { ofCall, ofRecord }: NamedTypes,
  operation: OperationForm | undefined,
  body: unknown,
): BodyWriting {
  const styles = operation?.bodies.find(({ format }) => format === "form")?.styles;
  const format = bodyFormat === "multipart" ? undefined : bodyFormat;
  if (ofCall === undefined && format !== undefined) return { format, styles };
  const contentType = ofCall ?? ofRecord;
  if (contentType !== undefined) {
    const named = readBodyFormat(contentType) ?? "json";
    return { format: named, styles, isLines: isLinesType(contentType) };
  }
  const form = operation === undefined ? undefined : chooseBody(operation.bodies, body);
  if (form === undefined || form.format === "multipart") return { format: "json" };
  if (form.format === "bytes") return { format: "text", contentType: checkBytes(form, body) };
  const type = form.format === "text" ? addCharset(form.type, body) : form.type;
  const { isString } = form;
  const isLines = isLinesType(type);
  return { format: form.format, contentType: type, isString, styles: form.styles, isLines };
}

function checkBytes(form: BodyForm, body: unknown): string {
  if (typeof body === "string" && takesText(form)) return form.type;
  throw invalidInput(
    `The operation takes a body of the type ${quoteText(form.type)}: bytes. Nothing was sent.`,
    'Give the body as a file: {"$file":"r_…"} for a kept one, or {"$text":"…"} for a new one.',
  );
}

/** `text/…` without a charset is US-ASCII to some receivers (RFC 2046, section 4.1.2). */
function addCharset(type: string, body: unknown): string {
  const isPlain = typeof body !== "string" || /^[\0-\x7f]*$/.test(body);
  return isPlain || !type.startsWith("text/") || type.includes(";")
    ? type
    : `${type}; charset=utf-8`;
}
