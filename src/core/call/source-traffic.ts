/** The things that all requests of one source share: its quota, its transports, and the paths that the API answered. */

import { parseMediaType } from "../body/read-media-type.js";
import { createTransport, type Transport } from "../http/create-transport.js";
import {
  createLimiter,
  createSemaphore,
  type Limiter,
  type Semaphore,
} from "../http/limits/own-limits.js";
import { isReplay } from "../http/own-transport.js";
import type { ApiSource } from "../record/api-source.js";
import type { BuiltRequest } from "../request/wire-request.js";
import type { PreparedCall, SenderServices } from "./running-call.js";

/** The things that all requests of one source share. */
export interface SourceTraffic extends SenderServices {
  readonly source: ApiSource;
  /** A place is held for the whole call; absent without `limits.concurrency`. */
  readonly enter: Semaphore | undefined;
  /** Counts every request on the wire, retries and redirects included; absent without `limits.requestsPerMinute`. */
  readonly limiter: Limiter | undefined;
  readonly transports: SourceTransports;
  readonly answered: AnsweredPaths;
  /** Two processes that run the same record share a quota; another tenant's base URL is another API. */
  readonly quotaKey: string;
}

/** Opens nothing yet: a connection is made by the first request. */
export function openTraffic(source: ApiSource, services: SenderServices): SourceTraffic {
  const { concurrency, requestsPerMinute: requests } = source.api.limits;
  const { stopwatch, sleep, application } = services.host;
  const { redis, transport } = services.traffic;
  const shared = { source: source.slug, redis, stopwatch, sleep, application };
  const isLimited = requests !== undefined && !isReplay(transport);
  return {
    ...services,
    source,
    enter: concurrency === undefined ? undefined : createSemaphore(shared, concurrency),
    limiter: isLimited ? createLimiter({ ...shared, requests }) : undefined,
    transports: createSourceTransports(source, services),
    answered: createAnsweredPaths(),
    quotaKey: `${source.slug}@${source.api.baseUrl}`,
  };
}

/** The transports of one source: one for each host and network that its calls resolve to. */
interface SourceTransports {
  /** The transport of the host and network that a call resolves to; it is kept for the next call. */
  open(resolved: PreparedCall["resolved"]): Transport;
  /** Closes idle connections now, and the others when the calls that use them are over. */
  close(): void;
}

/** Tenants with base URLs or proxies of their own each need a connection pool; more than this many don't stay open. */
const maxTransports = 16;

function createSourceTransports(
  { slug, api: { limits } }: ApiSource,
  { host, traffic }: SenderServices,
): SourceTransports {
  const { clock, sleep, random, logger, application } = host;
  const transports = new Map<string, Transport>();
  // The calls of most sources resolve to one object, and need no key.
  let last:
    | { readonly resolved: PreparedCall["resolved"]; readonly transport: Transport }
    | undefined;
  const findMaxBytes = (type: string | undefined): number =>
    parseMediaType(type).promises === "json" ? limits.maxBytes : limits.maxFileBytes;

  function closeOldest(): void {
    const [oldest] = transports;
    if (transports.size < maxTransports || oldest === undefined) return;
    transports.delete(oldest[0]);
    oldest[1].close();
  }

  function find({ network, baseUrl }: PreparedCall["resolved"]): Transport {
    const key = JSON.stringify([network, new URL(baseUrl).host]);
    const known = transports.get(key);
    if (known !== undefined) return known;
    closeOldest();
    const { transport } = traffic;
    const means = { clock, sleep, random, logger, application, transport, source: slug };
    const opened = createTransport({ network, limits, findMaxBytes, baseUrl, ...means });
    transports.set(key, opened);
    return opened;
  }

  return {
    open(resolved) {
      if (last?.resolved === resolved) return last.transport;
      const found = find(resolved);
      last = { resolved, transport: found };
      return found;
    },
    close() {
      last = undefined;
      for (const transport of transports.values()) transport.close();
      transports.clear();
    },
  };
}

/** The paths that an API answered a GET at, for a hint about a path below one of them that does not exist. */
interface AnsweredPaths {
  /** Notes how a request was answered. @returns after a 404 the nearest path above that was answered before. */
  note(built: BuiltRequest, status: number): string | undefined;
}

/** How many paths are remembered; the oldest are forgotten first. */
const maxAnswered = 200;

function createAnsweredPaths(): AnsweredPaths {
  const paths = new Set<string>();
  return {
    note({ method, url: { path } }, status) {
      if (status === 404) {
        const segments = path.split("/");
        const above = segments.map((_, length) => segments.slice(0, length).join("/"));
        return above.findLast((each) => each !== "" && paths.has(each));
      }
      if (method !== "GET" || status !== 200) return undefined;
      paths.add(path);
      const [oldest = path] = paths;
      if (paths.size > maxAnswered) paths.delete(oldest);
      return undefined;
    },
  };
}
