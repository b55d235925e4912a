/** A source's test request with a mark in place of each secret: what a command line is written from. */

import type { CallContext } from "../runtime.js";
import { Secret } from "../secrets/secret.js";
import type { ApiSource } from "../source/api-source.js";
import { resolveSource } from "../source/resolve-source.js";
import type { BuiltRequest } from "./build-request.js";
import type { ClientRuntime } from "./create-client-runtime.js";
import type { PreparedCall } from "./prepare-call.js";
import { buildTestRequest, listSentHeaders } from "./probe-source.js";

export interface RequestTemplate {
  readonly built: BuiltRequest;
  readonly headers: Readonly<Record<string, string>>;
  /** Each mark that may stand in the URL and the headers, and the variable it stands for. */
  readonly marks: ReadonlyMap<string, string>;
  /** The variables whose value is not the same in a URL: it has to be percent-encoded there. */
  readonly encodedNames: ReadonlySet<string>;
}

/**
 * Builds the request once more, with marks for the values of `${NAME}`. A mark is lower-case letters and digits, so that
 * it stands unchanged in a host name, a path, a query and a header.
 *
 * @returns undefined when no mark can stand where a secret does (a port).
 */
export async function templateRequest(
  source: ApiSource,
  runtime: ClientRuntime,
  prepared: PreparedCall,
): Promise<RequestTemplate | undefined> {
  const marks = new Map<string, string>();
  const encodedNames = new Set<string>();
  const resolveMark = async (name: string): Promise<Secret> => {
    const value = (await askSecret(source, runtime, name, prepared.context)) ?? "";
    if (encodeURIComponent(value) !== value) encodedNames.add(name);
    const mark = `zq${marks.size}v8k3w5jx${marks.size}qz`;
    marks.set(mark, name);
    return new Secret(mark);
  };
  const { network: _unused, ...api } = source.api;
  const network = { allowLocalAddresses: source.api.network.allowLocalAddresses };
  try {
    const resolved = await resolveSource(
      { ...source, api: { ...api, network } },
      {
        resolveSecret: resolveMark,
        ...(prepared.credential?.kind === "basic" ? { username: prepared.credential.username } : {}),
      },
    );
    const built = buildTestRequest(source, resolved);
    return { built, headers: listSentHeaders(built), marks, encodedNames };
  } catch {
    return undefined;
  }
}

async function askSecret(
  source: ApiSource,
  runtime: ClientRuntime,
  name: string,
  context: CallContext,
): Promise<string | undefined> {
  return (await runtime.credentials.resolveSecret(name, source, context))?.reveal();
}
