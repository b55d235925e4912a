/** A call as a curl line for a POSIX shell: the very request of the tool, with a variable for each secret. */

import { buildRequest } from "../client/build-request.js";
import { parseCallRequest } from "../client/call-request.js";
import { listCredentialVariables } from "../credentials/credential-variables.js";
import { readProcessEnvironment } from "../credentials/environment.js";
import { Secret } from "../secrets/secret.js";
import type { ApiSource } from "../source/api-source.js";
import { resolveSource } from "../source/resolve-source.js";

/**
 * Builds the request through the request policy and sends nothing.
 *
 * @throws ApiSourceError `refused_by_policy` or `invalid_input`, as the call would.
 */
export async function writeCallCurl(source: ApiSource, input: unknown): Promise<string> {
  const marks = new Map<string, string>();
  // Lower-case letters and digits stand unchanged in a host, a path, a query and a header.
  const resolveSecret = async (name: string): Promise<Secret> => {
    const mark = `zq${marks.size}v8k3w5jx${marks.size}qz`;
    marks.set(mark, name);
    return new Secret(mark);
  };
  const resolved = await resolveSource(source, {
    resolveSecret,
    username: readProcessEnvironment(listCredentialVariables(source)[0] ?? "") ?? "username",
    omitTestEndpoint: true,
  });
  const { wire } = buildRequest(source, resolved, parseCallRequest(input));
  const quote = (text: string): string => quoteWord(text, marks);
  const words = [
    "curl -i --compressed -g",
    ...(wire.method === "GET" ? [] : [`-X ${wire.method}`]),
    ...writeCredential(source),
    ...Object.entries(wire.headers).map(
      ([name, value]) => `-H ${quote(value === "" ? `${name};` : `${name}: ${value}`)}`,
    ),
    ...(wire.body === undefined ? [] : [`--data-raw ${quote(Buffer.from(wire.body).toString("utf8"))}`]),
    quote(wire.url),
  ];
  return words.join(" ");
}

function writeCredential(source: ApiSource): string[] {
  const names = listCredentialVariables(source);
  const { authType, authScheme, headerName = "" } = source.api;
  const secret = `"$${names[0]}"`;
  if (authType === "bearer")
    return [`-H ${quoteWord(`Authorization: ${authScheme === "" ? "" : `${authScheme} `}`)}${secret}`];
  if (authType === "header") return [`-H ${quoteWord(`${headerName}: `)}${secret}`];
  if (authType === "basic") return [`-u "${names.map((name) => `$${name}`).join(":")}"`];
  // Since curl 7.87: encodes the value and puts it into the URL's query.
  if (authType === "query") return [`--url-query ${quoteWord(`${source.api.queryParam ?? ""}=`)}${secret}`];
  return [];
}

/** One word: literals in single quotes, which keep everything but themselves, and each mark as its variable. */
function quoteWord(text: string, marks: ReadonlyMap<string, string> = new Map()): string {
  const parts = marks.size === 0 ? [text] : text.split(new RegExp(`(${[...marks.keys()].join("|")})`));
  const written = parts.map((part) => {
    const name = marks.get(part);
    if (name !== undefined) return `"$${name}"`;
    if (part === "" || /^[A-Za-z0-9_@%+:,./-]+$/.test(part)) return part;
    return `'${part.replaceAll("'", `'\\''`)}'`;
  });
  return written.join("") || "''";
}
