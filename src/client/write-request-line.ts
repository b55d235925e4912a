/** The request line as sent, without the credential: `GET /issues?page=2`. */

import type { Redactor } from "../secrets/redactor.js";
import type { BuiltRequest } from "./build-request.js";

export function writeRequestLine({ method, url }: BuiltRequest, redactor: Redactor): string {
  const query = url.url.indexOf("?");
  return redactor.redact(`${method} ${url.path}${query < 0 ? "" : url.url.slice(query)}`);
}
