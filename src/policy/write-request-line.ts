/** A request in one line, for messages and artifacts. */

import type { Redactor } from "../secrets/redactor.js";
import type { BuiltRequest } from "./wire-request.js";

/** Method, path and query as sent, without the credential and redacted: `GET /issues?page=2`. */
export function writeRequestLine({ method, url }: BuiltRequest, redactor: Redactor): string {
  const query = url.url.indexOf("?");
  return redactor.redact(`${method} ${url.path}${query < 0 ? "" : url.url.slice(query)}`);
}
