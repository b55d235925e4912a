/** The request line as sent, without the credential: `GET /issues?page=2`. */

import type { Redactor } from "../secrets/redactor.js";
import type { BuiltRequest } from "./build-request.js";

export function writeRequestLine({ method, url }: BuiltRequest, redactor: Redactor): string {
  return redactor.redact(`${method} ${url.path}${new URL(url.url).search}`);
}
