/** From requests (a curl line, a Postman collection) to a record: its base URL, the format of its bodies, its test endpoint. */

import { invalidInput } from "../../core/base/errors.js";
import { clipText } from "../../core/base/text.js";
import {
  type BodyFormat,
  type EndpointExample,
  httpMethods,
} from "../../core/record/api-source.js";
import { AuthFinder, hasSecretLooks, isSecret } from "./find-auth.js";
import {
  countEach,
  type ImportChoice,
  type Imported,
  type ImportedRecord,
  maxEndpoints,
  nameUrl,
  noteServers,
  rankTestPath,
  type SentRequest,
} from "./imported.js";

/** A request, and where it is below the base URL that it would have alone. */
interface PlacedRequest extends SentRequest {
  readonly baseUrl: string;
  readonly path: string;
}

/**
 * Makes a record of requests that somebody sent or would send: of those below the base URL that most of them have.
 *
 * @param title - The name of the collection.
 * @throws ApiSourceError `invalid_input` without a request.
 */
export function createFromRequests(
  requests: readonly SentRequest[],
  choice: ImportChoice,
  title?: string,
): Imported {
  const placed = requests
    .filter(({ url }) => !/[{$]/.test(url.host))
    .map((request) => ({ ...request, ...findBase(request.url) }));
  if (placed.length === 0)
    throw invalidInput(
      "No request has an http(s) URL.",
      "A variable may be the base URL: give it with --base-url.",
    );
  const servers = countEach(placed.map((each) => each.baseUrl)).map(([url]) => url);
  const baseUrl = servers.find((url) => url === choice.baseUrl) ?? servers[0] ?? "";
  const own = placed.filter((each) => each.baseUrl === baseUrl);
  const name = choice.name ?? title ?? nameUrl(baseUrl);
  const record: ImportedRecord = { type: "api", name, api: { baseUrl } };
  const auth = new AuthFinder(record);
  for (const request of own) auth.read(request);
  const { api } = record;
  api.bodyFormat = findBodyFormat(own);
  api.testEndpoint = findTestEndpoint(own);
  if (own.length > 1) api.endpoints = listEndpoints(own);
  const notes = [
    ...own.flatMap((request) => request.notes),
    ...auth.notes,
    ...own.flatMap(noteHidden).slice(0, maxHidden),
    ...noteServers(servers, choice),
  ];
  const { credential, secrets } = auth;
  const knowsAuth = api.authType !== undefined;
  const [first] = own;
  const firstCall = first && { method: first.method, path: first.path };
  return { record, knowsAuth, credential, secrets, firstCall, notes: [...new Set(notes)] };
}

/** The format of all bodies. Where some take one format and some another, each call names its own; JSON needs no setting. */
function findBodyFormat(requests: readonly SentRequest[]): BodyFormat | undefined {
  const [format, ...others] = new Set(requests.flatMap(({ bodyFormat }) => bodyFormat ?? []));
  const isNamed = format === "form" || format === "multipart";
  return isNamed && others.length === 0 ? format : undefined;
}

function findTestEndpoint(requests: readonly PlacedRequest[]): string | undefined {
  const paths = requests
    .filter(({ method }) => method === "GET")
    .map((each) => each.path + writePublicQuery(each))
    .filter((path) => !/[{}]|\$\w/.test(path));
  const [best] = paths.sort((one, other) => rankTestPath(one) - rankTestPath(other));
  return best;
}

/** Examples of calls, each method and path once. */
function listEndpoints(requests: readonly PlacedRequest[]): EndpointExample[] {
  const endpoints = new Map<string, EndpointExample>();
  for (const { method: given, path, about = path } of requests) {
    const method = httpMethods.find((each) => each === given);
    if (method === undefined) continue;
    endpoints.set(`${method} ${path}`, { method, path, about: clipText(about, 100) });
  }
  return [...endpoints.values()].slice(0, maxEndpoints);
}

/** The origin and the path up to a version, as `https://api.example.com/v1`; and the path below it, without ids. */
function findBase({ origin, pathname }: URL): { readonly baseUrl: string; readonly path: string } {
  const all = pathname.split("/").slice(1);
  let length = 0;
  for (const [at, segment] of all.slice(0, -1).slice(0, 5).entries()) {
    const isVersion = /^v\d[\w.]*$|^\d{4}-\d{2}(?:-\d{2})?$|^\d+\.\d+$/i.test(segment);
    const isRoot = /^(?:api|rest|jsonapi|\d)$/i.test(segment) && at === length;
    if (isVersion || isRoot) length = at + 1;
  }
  // A placeholder of a documentation is one again: no call can be made with it.
  const path = `/${all.slice(length).join("/")}`.replace(/%7B/gi, "{").replace(/%7D/gi, "}");
  return { baseUrl: [origin, ...all.slice(0, length)].join("/"), path: hideIds(path) };
}

/** A path without what may be a secret, or the id of something: `{id}` replaces letters of both cases and digits, hexadecimal, and letters and digits that alternate. */
function hideIds(path: string): string {
  return path.replace(/[\w:-]{20,}/g, (word) => {
    const isMixed = /\d/.test(word) && /[a-z]/.test(word) && /[A-Z]/.test(word);
    const isHex = /^(?=.*\d)[\da-f-]+$/i.test(word);
    const changes = word.match(/[a-z](?=\d)|\d(?=[a-z])/gi) ?? [];
    return isMixed || isHex || changes.length > 3 ? "{id}" : word;
  });
}

/** More notes of the same kind say no more. */
const maxHidden = 3;

/** Names a part of a path that looks like an id or a key, and that the record does not have. */
function noteHidden({ url, path }: PlacedRequest): string[] {
  const isHidden = path.includes("{id}") && !/\{id\}|%7Bid%7D/i.test(url.pathname);
  return isHidden
    ? [`${clipText(path, 100)}: what looked like an id or a key is left out, {id} takes its place.`]
    : [];
}

function writePublicQuery(request: SentRequest): string {
  const kept = [...request.url.searchParams].filter(
    (pair) =>
      !isSecret("query", pair, request) && !hasSecretLooks(pair[1]) && !/[{}]/.test(pair[1]),
  );
  return kept.length === 0 ? "" : `?${new URLSearchParams(kept)}`;
}
