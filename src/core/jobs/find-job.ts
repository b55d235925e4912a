/** Where the job of an accepted request is read: the record's rule, the headers, then the body. */

import { isJsonObject, type JsonValue } from "../base/exact-number.js";
import type { ResponseHeaders } from "../http/limits/rate-limit.js";
import type { HttpMethod } from "../record/api-source.js";
import { isGoogleOperation, type JobState } from "./job-state.js";

interface AcceptedFacts {
  readonly method: HttpMethod;
  /** Below the base URL, as it was sent; of a GET with its query. */
  readonly path: string;
  readonly status: number;
  readonly headers: ResponseHeaders;
  readonly document?: JsonValue | undefined;
  readonly state: JobState;
  /** The value at the `location` of the record's rule. */
  readonly location?: JsonValue | undefined;
}

/** A job that a response names. */
interface JobLink {
  /** A link as the API wrote it; absent where it names no place. */
  readonly link?: string;
  /** The path below the base URL, where the API names the job without a link. */
  readonly path?: string;
  /** A link to the result, to be read when the job is finished. */
  readonly result?: string;
}

/**
 * Finds the job that a request started. A write has started one when it is answered with 202, with a header that only jobs have, or with a
 * place and a running state; a GET only with 202.
 *
 * @returns undefined for a response that starts no job.
 */
export function findJob(facts: AcceptedFacts): JobLink | undefined {
  const { method, path, status, headers, document, state, location } = facts;
  const isAccepted = status === 202;
  if (method === "GET") return isAccepted ? withLink(readHeader(headers, "location"), { path }) : undefined;
  if (isGoogleOperation(document) && state.phase === "running")
    return { path: `${/^\/v\d\w*\//.exec(path)?.[0] ?? "/"}${document.name}` };
  const own = readHref(location);
  // Azure: the operation's own URL is polled, and `Location` leads to the result.
  const operation = readHeader(headers, "azure-asyncoperation") ?? readHeader(headers, "operation-location");
  const place = readHeader(headers, "location");
  if (own === undefined && operation !== undefined) return { link: operation, result: place };
  const link = own ?? place;
  if (isAccepted) return withLink(link ?? findBodyLink(document), {});
  return link !== undefined && state.phase === "running" ? { link } : undefined;
}

function withLink(link: string | undefined, other: JobLink): JobLink {
  return link === undefined ? other : { link };
}

function readHeader(headers: ResponseHeaders, name: string): string | undefined {
  const value = [headers[name] ?? []].flat()[0];
  return value === undefined || value === "" ? undefined : value;
}

/** `status_url` and `statusUrl`, and the link to itself of HAL and JSON:API. */
function findBodyLink(document: JsonValue | undefined): string | undefined {
  if (!isJsonObject(document)) return undefined;
  const selves = [document["links"], document["_links"]].map((links) =>
    isJsonObject(links) ? links["self"] : undefined,
  );
  return [document["status_url"], document["statusUrl"], ...selves].map(readHref).find(Boolean);
}

/** A link as a string, or as an object with `href`. */
export function readHref(value: JsonValue | undefined): string | undefined {
  const href = isJsonObject(value) ? value["href"] : value;
  return typeof href === "string" && href !== "" ? href : undefined;
}
