/** From requests that somebody sent (curl, Postman) to a record: what is the same in them, and what is good for a first call. */

import { invalidInput } from "../../core/base/errors.js";
import { clipText, decodePercent } from "../../core/base/text.js";
import { type EndpointExample, httpMethods } from "../../core/record/api-source.js";
import { AuthFinder, hasSecretLooks, isSecret } from "./find-auth.js";
import {
  checkServer,
  countEach,
  type ImportChoice,
  type Imported,
  type ImportedRecord,
  maxEndpoints,
  nameUrl,
  rankTestPath,
  type SampleRequest,
} from "./imported.js";

interface PlacedRequest {
  readonly request: SampleRequest;
  readonly url: URL;
  /** The origin and the path up to a version: `https://api.example.com/v1`; a credential in the path is `{token}`. */
  readonly base: string;
  /** The segments of the path below it. */
  readonly segments: readonly string[];
  readonly token?: string;
}

const maxRequests = 5_000;

/** @throws ApiSourceError `invalid_input` when no request has a URL that can be read. */
export function createFromRequests(
  given: readonly SampleRequest[],
  choice: ImportChoice,
  name?: string,
): Imported {
  const placed = given.slice(0, maxRequests).flatMap((request): PlacedRequest[] => {
    const url = URL.canParse(request.url) ? new URL(request.url) : undefined;
    const isKnown = url !== undefined && /^https?:$/.test(url.protocol) && !url.host.includes("{{");
    return isKnown ? [{ request, url, ...findBase(url) }] : [];
  });
  if (placed.length === 0)
    throw invalidInput(
      "No request has an http(s) URL.",
      "A variable may be the base URL: give it with --base-url.",
    );
  const servers = countEach(placed.map(({ base }) => base)).map(([url]) => url);
  checkServer(servers, choice);
  const baseUrl = servers[(choice.server ?? 1) - 1] ?? "";
  const own = placed.filter(({ base }) => base === baseUrl);
  const record: ImportedRecord = {
    type: "api",
    name: choice.name ?? name ?? nameUrl(baseUrl),
    api: { baseUrl },
  };
  const auth = new AuthFinder(record);
  for (const { request, url } of own) auth.read(request, url);
  for (const { token } of own) auth.readPath(token);
  addEndpoints(record, own);
  const formats = new Set(own.flatMap(({ request }) => request.bodyFormat ?? []));
  const [format] = formats;
  // Where some take one format and some another, each call names its own.
  if (format !== undefined && formats.size === 1) record.api.bodyFormat = format;
  const notes = [...own.flatMap(({ request }) => request.notes ?? []), ...auth.notes];
  if (record.api.testEndpoint === undefined)
    notes.push("No request is a GET that can serve as `testEndpoint`.");
  return {
    record,
    knowsAuth: record.api.authType !== undefined || record.api.variables !== undefined,
    credential: auth.credential,
    secrets: auth.secrets,
    servers,
    schemes: [],
    notes: [...new Set(notes)],
  };
}

/** The credential as a path segment: a number, a colon and a key, after a word, as in Telegram's `/bot123456:ABC-DEF1234ghIkl/getMe`. */
const tokenSegment = /^([a-z]{0,10})(\d+(?::|%3A)[\w-]{10,})$/i;

function findBase({ origin, pathname }: URL): Pick<PlacedRequest, "base" | "segments" | "token"> {
  const all = pathname.split("/").filter(Boolean);
  const index = all.findIndex((segment) => tokenSegment.test(segment));
  const [, prefix = "", token] = tokenSegment.exec(all[index] ?? "") ?? [];
  let length = 0;
  for (const [at, segment] of all.slice(0, -1).slice(0, 5).entries()) {
    const isVersion = /^v\d[\w.]*$|^\d{4}-\d{2}(?:-\d{2})?$|^\d+\.\d+$/i.test(segment);
    const isRoot = /^(?:api|rest|jsonapi|\d)$/i.test(segment) && at === length;
    if (isVersion || isRoot) length = at + 1;
  }
  if (token === undefined)
    return { base: [origin, ...all.slice(0, length)].join("/"), segments: all.slice(length) };
  return {
    base: [origin, ...all.slice(0, index), `${prefix}{token}`].join("/"),
    segments: all.slice(index + 1),
    token: decodePercent(token),
  };
}

/** A few endpoints, and the lightest GET as the test endpoint. */
function addEndpoints({ api }: ImportedRecord, requests: readonly PlacedRequest[]): void {
  const found = new Map<string, EndpointExample>();
  const tests: string[] = [];
  for (const { request, url, segments } of requests) {
    const method = httpMethods.find((each) => each === request.method);
    if (method === undefined) continue;
    const end = url.pathname.endsWith("/") && segments.length > 0 ? "/" : "";
    const path = hideIds(`/${segments.join("/")}${end}`.replace(/%7B/gi, "{").replace(/%7D/gi, "}"));
    const kept = [...url.searchParams].filter(
      (pair) => !isSecret("query", pair, request) && !hasSecretLooks(pair[1]) && !/[{}]/.test(pair[1]),
    );
    const test = kept.length === 0 ? path : `${path}?${new URLSearchParams(kept)}`;
    const about = clipText(request.about ?? path, 100);
    if (!found.has(`${method} ${path}`)) found.set(`${method} ${path}`, { method, path, about });
    if (method === "GET" && !/[{}]/.test(test)) tests.push(test);
  }
  const [test] = tests.sort((one, other) => rankTestPath(one) - rankTestPath(other));
  if (test !== undefined) api.testEndpoint = test;
  if (requests.length > 1 && found.size > 0) api.endpoints = [...found.values()].slice(0, maxEndpoints);
}

/** A path without what may be a secret, or the id of something: `{id}` replaces letters of both cases and digits, and for hexadecimal. */
function hideIds(path: string): string {
  return path.replace(/[\w:-]{20,}/g, (word) => {
    const isMixed = /\d/.test(word) && /[a-z]/.test(word) && /[A-Z]/.test(word);
    return isMixed || /^(?=.*\d)[\da-f-]+$/i.test(word) ? "{id}" : word;
  });
}
