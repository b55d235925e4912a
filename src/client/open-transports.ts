/** The transports of one source: one for each host and network that its calls resolve to. */

import type { ApiSource } from "../source/api-source.js";
import { createTransport, type Transport } from "../transport/create-transport.js";
import type { ClientRuntime } from "./create-client-runtime.js";
import type { PreparedCall } from "./prepare-call.js";

export interface Transports {
  /** The transport of a call; it is kept for the next one. */
  find(prepared: PreparedCall): Transport;
  /** Closes idle connections now, and the others when the calls that use them are over. */
  close(): void;
}

/** Tenants with base URLs or proxies of their own each need a connection pool; more than this many don't stay open. */
const maxTransports = 16;

export function openTransports(source: ApiSource, runtime: ClientRuntime): Transports {
  const { limits } = source.api;
  const { clock, sleep, random, logger, transport: own } = runtime;
  const transports = new Map<string, Transport>();
  let last: (Pick<PreparedCall["resolved"], "network" | "baseUrl"> & { transport: Transport }) | undefined;

  function findByKey({ resolved }: PreparedCall): Transport {
    const { network, baseUrl } = resolved;
    const key = JSON.stringify([network, new URL(baseUrl).host]);
    const known = transports.get(key);
    if (known !== undefined) return known;
    const [oldest] = transports;
    if (transports.size >= maxTransports && oldest !== undefined) {
      transports.delete(oldest[0]);
      oldest[1].close();
    }
    const transport = createTransport({
      ...{ network, limits, baseUrl, clock, sleep, random, logger },
      transport: own,
    });
    transports.set(key, transport);
    return transport;
  }

  return {
    find(prepared) {
      const { network, baseUrl } = prepared.resolved;
      // A record without placeholders resolves to its own settings on each call.
      if (last?.network !== network || last.baseUrl !== baseUrl)
        last = { network, baseUrl, transport: findByKey(prepared) };
      return last.transport;
    },
    close() {
      for (const transport of transports.values()) transport.close();
      transports.clear();
      last = undefined;
    },
  };
}
