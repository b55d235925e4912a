/** Requests as curl lines for a POSIX shell, with `$NAME` in place of the credential and of each secret. */

import { quoteWord, VariableMarks } from "../../core/base/shell-word.js";
import { buildTestRequest, listSentHeaders } from "../../core/call/build-request.js";
import type { Probe } from "../../core/call/probe-source.js";
import type { CallServices } from "../../core/call/running-call.js";
import { isIssued, listSentVariables } from "../../core/credentials/credential-variables.js";
import type { ApiSource } from "../../core/record/api-source.js";
import { resolveSource } from "../../core/record/resolve-source.js";
import { Secret } from "../../core/secrets/secret.js";

export interface CurlRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface CurlLine {
  readonly curl: string;
  /** What has to be done before the line is pasted, and what it leaves out. */
  readonly notes: readonly string[];
}

/**
 * Writes the line that sends what the test sent. `found` are the variables that the credential was read from, one or two.
 *
 * @returns undefined when a secret is where nothing can be put in its place.
 */
export async function writeCurl(
  source: ApiSource,
  services: Pick<CallServices, "credentials">,
  probe: Probe,
  found: readonly string[],
): Promise<CurlLine | undefined> {
  const { context, credential } = probe.prepared;
  const marks = new VariableMarks();
  // The variables whose value is not the same in a URL: it has to be percent-encoded there.
  const encodedNames = new Set<string>();
  const resolveSecret = async (name: string): Promise<Secret> => {
    const value = (await services.credentials.resolveSecret(name, source, context))?.reveal() ?? "";
    if (encodeURIComponent(value) !== value) encodedNames.add(name);
    return new Secret(marks.mark(name));
  };
  const username = credential?.kind === "basic" ? { username: credential.username } : {};
  // The access token has a variable of its own, where the credential's are those of who asks for it.
  const [issuedToken] = isIssued(source) ? listSentVariables(source) : [];
  try {
    const resolved = await resolveSource(withoutConnection(source), { resolveSecret, ...username });
    const built = buildTestRequest(source, resolved);
    const variables = issuedToken === undefined ? found : [issuedToken];
    const request = { method: "GET", url: built.wire.url, headers: listSentHeaders(built) };
    const isSigned = credential?.kind === "signer";
    const { curl } = writeRequestCurl(source, request, variables, { marks, isSigned });
    const parts = marks.split(built.wire.url);
    const encoded = new Set(parts.filter((part, index) => index % 2 === 1 && encodedNames.has(part)));
    return { curl, notes: listNotes(source, isSigned, issuedToken, encoded) };
  } catch {
    return undefined;
  }
}

/** A request has no certificate and no proxy in it. */
export function withoutConnection(source: ApiSource): ApiSource {
  const { allowLocalAddresses } = source.api.network;
  return { ...source, api: { ...source.api, network: { allowLocalAddresses } } };
}

/**
 * A request of a call as a line.
 *
 * @param request - Without the credential.
 * @param variables - Those that the credential is read from, one or two.
 * @param options - `marks`: those in the request. `form`: options of curl for the parts of a multipart body. `isSigned`: the request has no credential that could be
 * written.
 */
export function writeRequestCurl(
  source: ApiSource,
  { method, url, headers, body }: CurlRequest,
  variables: readonly string[],
  {
    marks = new VariableMarks(),
    form = [],
    isSigned = false,
  }: { marks?: VariableMarks; form?: readonly string[]; isSigned?: boolean } = {},
): CurlLine {
  const { authType, queryParam = "" } = source.api;
  const credential = markAll(variables, marks);
  const words = [
    "curl -i --compressed -g",
    ...(method === "GET" ? [] : [`-X ${quoteWord(method)}`]),
    // An option that encodes the value, and not the name, since curl 7.87.
    ...(authType === "query" && !isSigned
      ? [`--url-query ${quoteWord(`${encodeURIComponent(queryParam)}=${credential[0]}`, marks)}`]
      : []),
    ...(isSigned ? [] : writeCredential(source, credential, marks)),
    ...writeHeaders(headers, marks),
    ...(body === undefined ? [] : [`--data-raw ${quoteWord(body, marks)}`]),
    ...form,
    quoteWord(url, marks),
  ];
  const notes = body?.includes("\0")
    ? ["The curl line leaves out the NUL characters of the body: no argument can contain one."]
    : [];
  return { curl: words.join(" "), notes };
}

type Marked = readonly [first: string, ...second: string[]];

function markAll([first = "CREDENTIAL", ...second]: readonly string[], marks: VariableMarks): Marked {
  return [marks.mark(first), ...second.map((name) => marks.mark(name))];
}

/** `Name:` would take the header away; `Name;` sends it empty. */
function writeHeaders(headers: CurlRequest["headers"], marks: VariableMarks): string[] {
  return Object.entries(headers).map(
    ([name, value]) => `-H ${quoteWord(value === "" ? `${name};` : `${name}: ${value}`, marks)}`,
  );
}

/** The header or option of the credential; one in the query is a part of the URL. */
function writeCredential(source: ApiSource, credential: Marked, marks: VariableMarks): string[] {
  if (source.api.authType === "basic") return [`-u ${quoteWord(credential.join(":"), marks)}`];
  return writeHeaders(listCredentialHeaders(source, credential), marks);
}

/** The header of the credential, where the record sends it so. */
export function listCredentialHeaders(
  { api }: ApiSource,
  [first = "", ...second]: readonly string[],
): Readonly<Record<string, string>> {
  const { authType, authScheme, headerName = "" } = api;
  if (authType === "header") return { [headerName]: first };
  if (authType === "bearer") return { Authorization: authScheme === "" ? first : `${authScheme} ${first}` };
  return authType === "basic" ? { Authorization: `Basic base64(${[first, ...second].join(":")})` } : {};
}

/** The URL with the parameter of the credential, where the record sends it so. */
export function addCredentialParameter({ api }: ApiSource, url: string, value: string): string {
  if (api.authType !== "query") return url;
  return `${url}${url.includes("?") ? "&" : "?"}${encodeURIComponent(api.queryParam ?? "")}=${value}`;
}

function listNotes(
  { api }: ApiSource,
  isSigned: boolean,
  issuedToken: string | undefined,
  encoded: ReadonlySet<string>,
): string[] {
  const { proxy, ca, cert, key } = api.network;
  const left = Object.entries({ proxy, ca, cert, key }).filter(([, value]) => value !== undefined);
  const fields = left.map(([field]) => `\`api.network.${field}\``).join(", ");
  const issued =
    api.login?.cookie === undefined
      ? `the access token from $${issuedToken}: set it to a token that was issued.`
      : `the session cookie from $${issuedToken}: set it to NAME=value as the login call sets it.`;
  const notes = [
    isSigned && "The curl line is not signed: `sign` adds its headers and parameters when a request is sent.",
    issuedToken !== undefined && !isSigned && `The curl line takes ${issued}`,
    ...[...encoded].map(
      (name) => `The curl line has $${name} in its URL: percent-encode the value before you paste the line.`,
    ),
    fields !== "" && `The curl line leaves out ${fields}: add --proxy, --cacert, --cert or --key.`,
  ];
  return notes.filter((note) => note !== false);
}
