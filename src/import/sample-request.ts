/** From requests that somebody sent (curl, HAR, Postman) to a record: what is the same in them, and what is good for a first call. */

import { type EndpointExample, httpMethods } from "../source/api-source.js";
import { clipText } from "../text.js";
import { AuthFinder, hasSecretLooks, isSecretParameter } from "./find-auth.js";
import {
  countEach,
  type ImportChoice,
  type Imported,
  type ImportedRecord,
  importError,
  nameHost,
  type SampleRequest,
} from "./imported.js";

interface PlacedRequest {
  readonly request: SampleRequest;
  readonly url: URL;
  readonly base: Base;
}

const maxRequests = 5_000;
const maxEndpoints = 6;

/** @throws ApiSourceError `invalid_input` when no request has a URL that can be read. */
export function createFromRequests(
  given: readonly SampleRequest[],
  choice: ImportChoice,
  name?: string,
): Imported {
  const placed = given.slice(0, maxRequests).flatMap((request): PlacedRequest[] => {
    const url = URL.canParse(request.url) ? new URL(request.url) : undefined;
    const isKnown = url !== undefined && /^https?:$/.test(url.protocol) && !url.host.includes("{{");
    return isKnown ? [{ request, url, base: findBase(url) }] : [];
  });
  if (placed.length === 0)
    throw importError(
      "No request has an http(s) URL.",
      "A variable may stand for the base URL: give it with --base-url.",
    );
  const servers = countEach(placed.map(({ base }) => base.url)).map(([url]) => url);
  const baseUrl = servers[(choice.server ?? 1) - 1];
  if (baseUrl === undefined) {
    const shown = servers.slice(0, 20).join(", ");
    throw importError(`There is no server ${choice.server}.`, `There are ${servers.length}: ${shown}.`);
  }
  const own = placed.filter(({ base }) => base.url === baseUrl);
  const record: ImportedRecord = {
    type: "api",
    name: name ?? nameHost(new URL(baseUrl).hostname),
    api: { baseUrl },
  };
  const auth = new AuthFinder(record);
  for (const { request, url } of own) auth.read(request, url);
  for (const { base } of own) auth.readPath(base.token);
  addEndpoints(record, own);
  if (own.some(({ request }) => request.isForm === true)) record.api.bodyFormat = "form";
  const notes = [...own.flatMap(({ request }) => request.notes ?? []), ...auth.notes];
  if (record.api.testEndpoint === undefined)
    notes.push("No request is a GET that can serve as `testEndpoint`.");
  return {
    record,
    knowsAuth: record.api.authType !== undefined || record.api.variables !== undefined,
    ...(auth.credential === undefined ? {} : { credential: auth.credential }),
    secrets: auth.secrets,
    servers,
    schemes: [],
    notes: [...new Set(notes)],
  };
}

interface Base {
  /** The origin and the path up to a version: `https://api.example.com/v1`; a credential in the path is `{token}`. */
  readonly url: string;
  /** How many segments of the path it takes. */
  readonly length: number;
  readonly token?: string;
}

/** The credential as a path segment: a number, a colon and a key, after a word, as in Telegram's `/bot123456:ABC-DEF1234ghIkl/getMe`. */
const tokenSegment = /^([a-z]{0,10})(\d+(?::|%3A)[\w-]{10,})$/i;

function findBase(url: URL): Base {
  const segments = listSegments(url);
  const index = segments.findIndex((segment) => tokenSegment.test(segment));
  const [, prefix = "", token] = tokenSegment.exec(segments[index] ?? "") ?? [];
  if (token !== undefined) {
    const before = [url.origin, ...segments.slice(0, index), `${prefix}{token}`];
    return { url: before.join("/"), length: index + 1, token: decodeURIComponent(token) };
  }
  let length = 0;
  for (const [at, segment] of segments.slice(0, -1).slice(0, 5).entries()) {
    const isVersion = /^v\d[\w.]*$|^\d{4}-\d{2}(?:-\d{2})?$|^\d+\.\d+$/i.test(segment);
    const isRoot = /^(?:api|rest|jsonapi|\d)$/i.test(segment) && at === length;
    if (isVersion || isRoot) length = at + 1;
  }
  return { url: [url.origin, ...segments.slice(0, length)].join("/"), length };
}

function listSegments(url: URL): string[] {
  return url.pathname.split("/").filter(Boolean);
}

/** A few endpoints, and the lightest GET as the test endpoint. */
function addEndpoints({ api }: ImportedRecord, requests: readonly PlacedRequest[]): void {
  const found = new Map<string, EndpointExample>();
  const tests: string[] = [];
  for (const { request, url, base } of requests) {
    const method = httpMethods.find((each) => each === request.method);
    if (method === undefined) continue;
    const segments = listSegments(url).slice(base.length);
    const end = url.pathname.endsWith("/") && segments.length > 0 ? "/" : "";
    const path = hideIds(`/${segments.join("/")}${end}`.replace(/%7B/gi, "{").replace(/%7D/gi, "}"));
    const kept = [...url.searchParams].filter(
      ([name, value]) => !isSecretParameter(name, request) && !hasSecretLooks(value),
    );
    const query = kept.length === 0 ? "" : `?${new URLSearchParams(kept)}`;
    const about = clipText(request.about ?? path, 100);
    if (!found.has(`${method} ${path}`)) found.set(`${method} ${path}`, { method, path, about });
    if (method === "GET" && !/[{}]/.test(path + query)) tests.push(path + query);
  }
  const [test] = tests.sort((one, other) => rankTestPath(one) - rankTestPath(other));
  if (test !== undefined) api.testEndpoint = test;
  if (requests.length > 1 && found.size > 0) api.endpoints = [...found.values()].slice(0, maxEndpoints);
}

/** A path without what may be a secret, or the id of something: `{id}` stands for letters of both cases and digits, and for hexadecimal. */
function hideIds(path: string): string {
  return path.replace(/[\w:-]{20,}/g, (word) => {
    const isMixed = /\d/.test(word) && /[a-z]/.test(word) && /[A-Z]/.test(word);
    return isMixed || /^(?=.*\d)[\da-f-]+$/i.test(word) ? "{id}" : word;
  });
}

/** Smaller is better: what tells who is asking, then what is short. The specification wants a light GET that needs the credential. */
export function rankTestPath(path: string): number {
  const isSelf =
    /(?:^|[/.])@?(?:me|myself|whoami|self|viewer|current_?user|user|account|profile|auth\.test|verify)(?:$|[/?])/i.test(
      path,
    );
  return (isSelf ? 0 : 1_000) + path.split("/").length * 50 + path.length;
}
