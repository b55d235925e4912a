/** The form of an error dialect in the tables, and the answer it stands for. */

import type { ResponseBody } from "../../src/body/response-body.js";
import type { ErrorCategory } from "../../src/errors.js";
import type { ResponseHeaders } from "../../src/limits/rate-limit.js";
import { emptyBody, htmlBody, jsonBody, textBody, xmlBody } from "../support/response-body.js";

export interface ErrorDialect {
  readonly api: string;
  /** Where the body, or its form, is documented; or that it was made to hold a rule. */
  readonly source: string;
  readonly status: number;
  readonly headers?: ResponseHeaders;
  readonly contentType?: string;
  /** A value, or JSON text. */
  readonly body?: unknown;
  readonly xml?: string;
  readonly html?: string;
  readonly text?: string;
  readonly message: string | RegExp;
  readonly category: ErrorCategory;
  readonly code?: string;
  readonly retryable?: boolean;
  readonly fields?: Readonly<Record<string, readonly string[]>>;
  readonly details?: Readonly<Record<string, unknown>>;
  /** Nothing but this may be in the details. */
  readonly wholeDetails?: Readonly<Record<string, unknown>> | undefined;
}

export async function bodyOf({ body, xml, html, text, contentType }: ErrorDialect): Promise<ResponseBody> {
  if (xml !== undefined) return xmlBody(xml);
  if (html !== undefined) return htmlBody(html);
  if (text !== undefined) return textBody(text);
  return body === undefined ? emptyBody() : jsonBody(body, contentType);
}
