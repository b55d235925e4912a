/** A request of a call as a curl line for a POSIX shell, with a variable for the credential. */

import type { ApiSource } from "../source/api-source.js";
import { markVariable, quoteCurlWord, writeCurlCredential } from "./write-curl.js";

export interface CurlRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/**
 * @param request - Without the credential.
 * @param variables - Those that the credential is read from, one or two.
 * @param options - `quote`: makes one word of the shell. `form`: options of curl for the parts of a multipart body.
 */
export function writeRequestCurl(
  source: ApiSource,
  { method, url, headers, body }: CurlRequest,
  variables: readonly string[],
  { quote = quoteCurlWord, form = [] }: { quote?: (text: string) => string; form?: readonly string[] } = {},
): string {
  const words = [
    "curl -i --compressed -g",
    ...(method === "GET" ? [] : [`-X ${method}`]),
    ...writeCredential(source, variables),
    ...Object.entries(headers).map(
      ([name, value]) => `-H ${quote(value === "" ? `${name};` : `${name}: ${value}`)}`,
    ),
    ...(body === undefined ? [] : [`--data-raw ${quote(body)}`]),
    ...form,
    quote(url),
  ];
  return words.join(" ");
}

/** The credential; in the query by an option that encodes it, since curl 7.87. */
function writeCredential(source: ApiSource, variables: readonly string[]): string[] {
  const { authType, queryParam = "" } = source.api;
  if (authType !== "query") return writeCurlCredential(source, variables);
  return [`--url-query ${quoteCurlWord(`${queryParam}=${markVariable(variables[0] ?? "")}`)}`];
}
