/** A call as a curl line for a POSIX shell: the very request of the tool, with a variable for each secret. */

import { buildRequest } from "../call/build-request.js";
import { parseCallRequest } from "../call/call-request.js";
import { markVariable, quoteCurlWord, writeRequestCurl } from "../connection/write-curl.js";
import { listSentVariables } from "../credentials/credential-variables.js";
import { readProcessEnvironment } from "../credentials/environment.js";
import { Secret } from "../secrets/secret.js";
import type { ApiSource } from "../source/api-source.js";
import { resolveSource } from "../source/resolve-source.js";

/**
 * Builds the request through the request policy and sends nothing.
 *
 * @param form - Options of curl for the parts of a multipart body.
 * @throws ApiSourceError `refused_by_policy` or `invalid_input`, as the call would.
 */
export async function writeCallCurl(
  source: ApiSource,
  input: unknown,
  form: readonly string[] = [],
): Promise<string> {
  const marks = new Map<string, string>();
  // Lower-case letters and digits are unchanged in a host, a path, a query and a header.
  const resolveSecret = async (name: string): Promise<Secret> => {
    const mark = `zq${marks.size}v8k3w5jx${marks.size}qz`;
    marks.set(mark, name);
    return new Secret(mark);
  };
  const resolved = await resolveSource(source, {
    resolveSecret,
    username: readProcessEnvironment(listSentVariables(source)[0] ?? "") ?? "username",
    omitTestEndpoint: true,
  });
  const { body, ...wire } = buildRequest(source, resolved, parseCallRequest(input)).wire;
  // Variables are marked by a character that no argument contains; a body given as text may contain it.
  const quote = (text: string): string =>
    quoteCurlWord(
      [...marks].reduce(
        (marked, [mark, name]) => marked.replaceAll(mark, markVariable(name)),
        text.replaceAll("\0", ""),
      ),
    );
  const request = { ...wire, ...(body && { body: Buffer.from(body).toString("utf8") }) };
  return writeRequestCurl(source, request, listSentVariables(source), { quote, form });
}
