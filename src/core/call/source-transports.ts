/** The transports of one source: one for each host and network that its calls resolve to. */

import { parseMediaType } from "../body/read-media-type.js";
import { createTransport, type Transport } from "../http/create-transport.js";
import type { ApiSource } from "../record/api-source.js";
import type { PreparedCall, SenderServices } from "./running-call.js";

export interface SourceTransports {
  /** The transport of the host and network that a call resolves to; it is kept for the next call. */
  open(resolved: PreparedCall["resolved"]): Transport;
  /** Closes idle connections now, and the others when the calls that use them are over. */
  close(): void;
}

/** Tenants with base URLs or proxies of their own each need a connection pool; more than this many don't stay open. */
const maxTransports = 16;

export function createSourceTransports(
  { slug, api: { limits } }: ApiSource,
  { host, traffic }: SenderServices,
): SourceTransports {
  const { clock, sleep, random, logger, application } = host;
  const transports = new Map<string, Transport>();
  const findMaxBytes = (type: string | undefined): number =>
    parseMediaType(type).promises === "json" ? limits.maxBytes : limits.maxFileBytes;

  function closeOldest(): void {
    const [oldest] = transports;
    if (transports.size < maxTransports || oldest === undefined) return;
    transports.delete(oldest[0]);
    oldest[1].close();
  }

  return {
    open({ network, baseUrl }) {
      const key = JSON.stringify([network, new URL(baseUrl).host]);
      const known = transports.get(key);
      if (known !== undefined) return known;
      closeOldest();
      const { transport } = traffic;
      const means = { clock, sleep, random, logger, application, transport, source: slug };
      const opened = createTransport({ network, limits, findMaxBytes, baseUrl, ...means });
      transports.set(key, opened);
      return opened;
    },
    close() {
      for (const transport of transports.values()) transport.close();
      transports.clear();
    },
  };
}
