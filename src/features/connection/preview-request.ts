/** A request as it would be sent, for a person: nothing is sent, and each credential is shown by the name of its variable. */

import { dropUndefined } from "../../core/base/input.js";
import { VariableMarks } from "../../core/base/shell-word.js";
import { buildRequest, findOperation, listSentHeaders } from "../../core/call/build-request.js";
import { type CallRequest, parseCallRequest } from "../../core/call/call-request.js";
import { hasFiles } from "../../core/call/encode-files.js";
import type { DocumentFacts } from "../../core/call/slots.js";
import { listSentVariables } from "../../core/credentials/credential-variables.js";
import type { ApiSource } from "../../core/record/api-source.js";
import { resolveSource } from "../../core/record/resolve-source.js";
import type { Redactor } from "../../core/secrets/redactor.js";
import { Secret } from "../../core/secrets/secret.js";
import {
  addCredentialParameter,
  listCredentialHeaders,
  withoutConnection,
  writeRequestCurl,
} from "./write-curl.js";

/** What a call would send. `${NAME}` is the value of a variable. */
export interface RequestPreview {
  readonly method: string;
  readonly url: string;
  /** With the credential's header. What a signer adds is not known. */
  readonly headers: Readonly<Record<string, string>>;
  /** Absent without a body. */
  readonly body?: string;
  /** The request as a curl line for a POSIX shell. */
  readonly curl: string;
  /** What the curl line leaves out. */
  readonly notes: readonly string[];
}

/** @throws ApiSourceError `invalid_input` or `refused_by_policy`, as the call would. */
export async function previewRequest(
  source: ApiSource,
  input: CallRequest,
  redactor: Redactor,
  document?: DocumentFacts | undefined,
): Promise<RequestPreview> {
  const marks = new VariableMarks();
  const variables = listSentVariables(source);
  const unconnected = withoutConnection(source);
  const resolved = await resolveSource(unconnected, {
    resolveSecret: async (name) => new Secret(marks.mark(name)),
    username: marks.mark(variables[0] ?? ""),
    omitTestEndpoint: true,
  });
  const request = parseCallRequest(input);
  const operation = await findOperation(unconnected, resolved, request, document);
  const isUnopened = request.body !== undefined && hasFiles(source, request, operation);
  const sent = isUnopened ? { ...request, body: undefined } : request;
  const built = buildRequest(unconnected, resolved, sent, { queryStyles: operation?.queryStyles });
  const { method, url, body: bytes } = built.wire;
  const { sentHeaders, wireHeaders, ...texts } = redactor.redact({
    url,
    body: bytes && Buffer.from(bytes).toString("utf8"),
    sentHeaders: listSentHeaders(built),
    wireHeaders: { ...built.wire.headers },
  });
  const own = { method, ...dropUndefined(texts) };
  const { curl, notes } = writeRequestCurl(source, { ...own, headers: wireHeaders }, variables, { marks });
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
