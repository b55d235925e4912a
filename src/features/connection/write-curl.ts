/** Requests as they would be sent, for a person: as curl lines for a POSIX shell, with `$NAME` in place of the credential and of each secret, and as previews, which send nothing. */

import { dropUndefined } from "../../core/base/input.js";
import { quoteWord, VariableMarks } from "../../core/base/shell-word.js";
import {
  buildRequest,
  buildTestRequest,
  findOperation,
  listSentHeaders,
} from "../../core/call/build-request.js";
import { type CallRequest, parseCallRequest } from "../../core/call/call-request.js";
import { hasFiles } from "../../core/call/encode-files.js";
import type { PreparedCall } from "../../core/call/running-call.js";
import type { DocumentFacts } from "../../core/call/slots.js";
import { isIssued, listSentVariables } from "../../core/credentials/credential-variables.js";
import type { ApiSource } from "../../core/record/api-source.js";
import {
  type ResolvedSource,
  type ResolveOptions,
  resolveSource,
} from "../../core/record/resolve-source.js";
import { type Redactor, redactMembers } from "../../core/secrets/redactor.js";
import { Secret } from "../../core/secrets/secret.js";

interface CurlRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Absent without a body. */
  readonly body?: string;
}

interface CurlLine {
  /** For a POSIX shell. */
  readonly curl: string;
  /** The steps before the line is pasted, and the parts that it leaves out. */
  readonly notes: readonly string[];
}

/** The request that a call would send, with the credential's header. `${NAME}` is the value of a variable; what a signer adds is not known. */
export type RequestPreview = CurlRequest & CurlLine;

/** @throws ApiSourceError `invalid_input` or `refused_by_policy`, as the call would. */
export async function previewRequest(
  source: ApiSource,
  input: CallRequest,
  redactor: Redactor,
  document?: DocumentFacts | undefined,
): Promise<RequestPreview> {
  const marks = new VariableMarks();
  const variables = listSentVariables(source);
  const username = marks.mark(variables[0] ?? "");
  const resolved = await resolveMarked(source, marks, { username, omitTestEndpoint: true });
  const request = parseCallRequest(input);
  const operation = await findOperation(source, resolved, request, { document });
  const isUnopened = request.body !== undefined && hasFiles(source, request, operation);
  const sent = isUnopened ? { ...request, body: undefined } : request;
  const built = buildRequest(source, resolved, sent, { operation });
  const { method, url, body: bytes } = built.wire;
  const { sentHeaders, wireHeaders, ...texts } = redactMembers(
    {
      url,
      body: bytes && Buffer.from(bytes).toString("utf8"),
      sentHeaders: listSentHeaders(built),
      wireHeaders: { ...built.wire.headers },
    },
    redactor,
  );
  const own = { method, ...dropUndefined(texts) };
  const { curl, notes } = writeRequestCurl(
    source,
    { ...own, headers: wireHeaders },
    variables,
    marks,
  );
  const names = variables.map((name) => `\${${name}}`);
  const shown = Object.entries(sentHeaders).map(([name, value]) => [name, marks.show(value)]);
  return {
    ...own,
    url: addCredentialParameter(source, marks.show(own.url), names[0] ?? ""),
    headers: { ...Object.fromEntries(shown), ...listCredentialHeaders(source, names) },
    curl,
    notes: isUnopened ? [...notes, "The body is left out: a preview opens no file."] : notes,
  };
}

/** The source with a mark in place of each secret. A request has no certificate and no proxy in it. */
function resolveMarked(
  source: ApiSource,
  marks: VariableMarks,
  options: Omit<ResolveOptions, "resolveSecret">,
): Promise<ResolvedSource> {
  const { allowLocalAddresses } = source.api.network;
  const unconnected = { ...source, api: { ...source.api, network: { allowLocalAddresses } } };
  return resolveSource(unconnected, {
    ...options,
    resolveSecret: async (name) => new Secret(marks.mark(name)),
  });
}

/**
 * Writes the line that sends what a connection test sent.
 *
 * @param found - The variables that the credential was read from, one or two.
 * @returns undefined when a secret is where nothing can be put in its place.
 */
export async function writeCurl(
  source: ApiSource,
  credential: PreparedCall["credential"],
  found: readonly string[],
): Promise<CurlLine | undefined> {
  const marks = new VariableMarks();
  const username = credential?.kind === "basic" ? { username: credential.username } : {};
  // The access token has a variable of its own, where the credential's are those of who asks for it.
  const [issuedToken] = isIssued(source) ? listSentVariables(source) : [];
  try {
    const built = buildTestRequest(source, await resolveMarked(source, marks, username));
    const { url } = built.wire;
    const variables = issuedToken === undefined ? found : [issuedToken];
    const request = { method: "GET", url, headers: listSentHeaders(built) };
    const isSigned = credential?.kind === "signer";
    // A signed request has no credential that could be written.
    const sent = isSigned ? { ...source, api: { ...source.api, authType: undefined } } : source;
    const { curl } = writeRequestCurl(sent, request, variables, marks);
    const inUrl = new Set(marks.split(url).filter((_part, index) => index % 2 === 1));
    return { curl, notes: listNotes(source, isSigned, issuedToken, inUrl) };
  } catch {
    return undefined;
  }
}

/**
 * A request of a call as a line.
 *
 * @param request - Without the credential.
 * @param variables - Those that the credential is read from, one or two.
 * @param marks - Those in the request.
 */
export function writeRequestCurl(
  source: ApiSource,
  { method, url, headers, body }: CurlRequest,
  variables: readonly string[],
  marks: VariableMarks = new VariableMarks(),
): CurlLine {
  const { authType, queryParam = "" } = source.api;
  const credential = (variables.length === 0 ? ["CREDENTIAL"] : variables).map((name) =>
    marks.mark(name),
  );
  const words = [
    "curl -i --compressed -g",
    ...(method === "GET" ? [] : [`-X ${quoteWord(method)}`]),
    // An option that encodes the value, and not the name, since curl 7.87.
    ...(authType === "query"
      ? [`--url-query ${quoteWord(`${encodeURIComponent(queryParam)}=${credential[0]}`, marks)}`]
      : []),
    ...(authType === "basic"
      ? [`-u ${quoteWord(credential.join(":"), marks)}`]
      : writeHeaders(listCredentialHeaders(source, credential), marks)),
    ...writeHeaders(headers, marks),
    ...(body === undefined ? [] : [`--data-raw ${quoteWord(body, marks)}`]),
    quoteWord(url, marks),
  ];
  const notes = body?.includes("\0")
    ? ["The curl line leaves out the NUL characters of the body: no argument can contain one."]
    : [];
  return { curl: words.join(" "), notes };
}

/** `Name:` would take the header away; `Name;` sends it empty. */
function writeHeaders(headers: CurlRequest["headers"], marks: VariableMarks): string[] {
  return Object.entries(headers).map(
    ([name, value]) => `-H ${quoteWord(value === "" ? `${name};` : `${name}: ${value}`, marks)}`,
  );
}

/** The header of the credential, where the record sends it so. */
function listCredentialHeaders(
  { api: { authType, authScheme, headerName = "" } }: ApiSource,
  credential: readonly string[],
): Readonly<Record<string, string>> {
  const [first = ""] = credential;
  if (authType === "header") return { [headerName]: first };
  if (authType === "bearer")
    return { Authorization: authScheme === "" ? first : `${authScheme} ${first}` };
  return authType === "basic" ? { Authorization: `Basic base64(${credential.join(":")})` } : {};
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
  inUrl: ReadonlySet<string>,
): string[] {
  const { proxy, ca, cert, key } = api.network;
  const left = Object.entries({ proxy, ca, cert, key }).filter(([, value]) => value !== undefined);
  const fields = left.map(([field]) => `\`api.network.${field}\``).join(", ");
  const issued =
    api.login?.cookie === undefined
      ? `the access token from $${issuedToken}: set it to a token that was issued.`
      : `the session cookie from $${issuedToken}: set it to NAME=value as the login call sets it.`;
  const notes = [
    isSigned &&
      "The curl line is not signed: `sign` adds its headers and parameters when a request is sent.",
    issuedToken !== undefined && !isSigned && `The curl line takes ${issued}`,
    ...[...inUrl].map(
      (name) =>
        `The curl line has $${name} in its URL: percent-encode the value before you paste the line.`,
    ),
    fields !== "" && `The curl line leaves out ${fields}: add --proxy, --cacert, --cert or --key.`,
  ];
  return notes.filter((note) => note !== false);
}
