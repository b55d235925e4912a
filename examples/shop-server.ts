/**
 * A small, realistic API on `node:http`: customers, orders, pages, filters, writes, validation errors, a rate limit. The same
 * API stands behind four doors, one per way to carry a credential: /bearer, /header, /query and /basic.
 */

import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type Customer, makeCustomers, makeOrders, type Order } from "./shop-data.js";

/** What the doors accept. Not a secret: it opens a server that only exists while the demo runs. */
export const shopCredentials = {
  bearer: "demo-bearer-4f1c9e77",
  header: "demo-header-82a6d013",
  query: "demo-query-c05b7e2d",
  basic: { username: "demo", password: "demo-basic-9d31f4aa" },
} as const;

/** Two users of the bearer door. */
export const shopUsers = { ada: shopCredentials.bearer, ben: "demo-bearer-b7702d1e" } as const;

export interface ShopRequest {
  readonly method: string;
  /** As received, with the credential masked. */
  readonly url: string;
  readonly credential: string;
  readonly body: string;
  readonly status: number;
}

export interface ShopServer {
  readonly url: string;
  readonly port: number;
  /** What the server received, in order. */
  readonly requests: ShopRequest[];
  close(): Promise<void>;
}

interface Shop {
  readonly customers: Customer[];
  readonly orders: Order[];
  exportsLeft: number;
}

interface Call {
  readonly method: string;
  readonly path: string;
  readonly prefix: string;
  readonly query: URLSearchParams;
  readonly body: string;
}

interface Reply {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
}

/** Starts the API on the loopback interface. @param port - 0 for any free one. */
export async function startShopServer(port = 0): Promise<ShopServer> {
  const customers = makeCustomers();
  const shop: Shop = { customers, orders: makeOrders(customers), exportsLeft: 1 };
  const requests: ShopRequest[] = [];
  const server = createServer((request, response) => {
    void answer(shop, request, response, requests);
  });
  await listen(server, port);
  const bound = (server.address() as AddressInfo).port;
  return {
    url: `http://127.0.0.1:${bound}`,
    port: bound,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", resolve);
  });
}

async function answer(
  shop: Shop,
  request: IncomingMessage,
  response: ServerResponse,
  requests: ShopRequest[],
): Promise<void> {
  const url = new URL(request.url ?? "/", "http://shop.local");
  const [, door = "", ...rest] = url.pathname.split("/");
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const body = Buffer.concat(chunks).toString("utf8");
  const hasNone =
    request.headers.authorization === undefined && request.headers["x-api-key"] === undefined;
  const isBare = hasNone && !url.searchParams.has("api_key");
  const credential = isBare
    ? { accepted: false, shown: "no credential" }
    : readCredential(door, request, url.searchParams);
  if (url.searchParams.has("api_key")) url.searchParams.set("api_key", "***");
  const call = {
    method: request.method ?? "",
    path: `/${rest.join("/")}`,
    prefix: `/${door}`,
    query: url.searchParams,
    body,
  };
  const reply = credential.accepted ? route(shop, call) : unauthorized(door);
  requests.push({
    method: call.method,
    url: `${url.pathname}${url.search}`,
    credential: credential.shown,
    body,
    status: reply.status,
  });
  response.writeHead(reply.status, {
    ...(reply.body === undefined ? {} : { "content-type": "application/json; charset=utf-8" }),
    ...reply.headers,
  });
  response.end(reply.body === undefined ? undefined : JSON.stringify(reply.body));
}

function readCredential(
  door: string,
  request: IncomingMessage,
  query: URLSearchParams,
): { accepted: boolean; shown: string } {
  const { authorization = "" } = request.headers;
  const { username, password } = shopCredentials.basic;
  const pair = Buffer.from(`${username}:${password}`).toString("base64");
  switch (door) {
    case "bearer": {
      const users = Object.entries(shopUsers);
      const user = users.find(([, token]) => authorization === `Bearer ${token}`)?.[0];
      return {
        accepted: user !== undefined,
        shown: `Authorization: Bearer ***${user === "ben" ? " of ben" : ""}`,
      };
    }
    case "header":
      return {
        accepted: request.headers["x-api-key"] === shopCredentials.header,
        shown: "X-Api-Key: ***",
      };
    case "query":
      return { accepted: query.get("api_key") === shopCredentials.query, shown: "?api_key=***" };
    default:
      return {
        accepted: door === "basic" && authorization === `Basic ${pair}`,
        shown: "Authorization: Basic ***",
      };
  }
}

/** A challenge for the two schemes that have a registered name (RFC 9110 section 11.6.1); a bare key has none. */
const challenges: Readonly<Record<string, string>> = {
  bearer: 'Bearer realm="shop"',
  basic: 'Basic realm="shop"',
};

function unauthorized(door: string): Reply {
  const challenge = challenges[door];
  return {
    status: 401,
    body: { error: { code: "unauthorized", message: "The credential is missing or wrong." } },
    ...(challenge === undefined ? {} : { headers: { "www-authenticate": challenge } }),
  };
}

function route(shop: Shop, call: Call): Reply {
  const [, resource = "", id] = call.path.split("/");
  if (call.method === "GET" && resource === "me")
    return { status: 200, body: { account: "Demo shop", plan: "plus" } };
  if (call.method === "GET" && resource === "customers") return readCustomers(shop, call, id);
  if (resource === "orders") return handleOrders(shop, call, id);
  if (call.method === "POST" && resource === "exports") return startExport(shop);
  return {
    status: 404,
    body: { error: { code: "no_route", message: `No route ${call.method} ${call.path}.` } },
  };
}

/** Pages by number, with the next page in a `Link` header. */
function readCustomers(shop: Shop, { query, prefix }: Call, id: string | undefined): Reply {
  if (id !== undefined)
    return found(
      shop.customers.find((customer) => String(customer.id) === id),
      "customer",
      id,
    );
  const page = Number(query.get("page") ?? 1);
  const perPage = Math.min(Number(query.get("per_page") ?? 50), 100);
  const country = query.get("country");
  const matching = shop.customers.filter(
    (customer) => country === null || customer.country === country,
  );
  const rows = matching.slice((page - 1) * perPage, page * perPage);
  const next = new URLSearchParams(query);
  next.delete("api_key");
  next.set("page", String(page + 1));
  const isLast = page * perPage >= matching.length;
  return {
    status: 200,
    body: rows,
    headers: {
      "x-total-count": String(matching.length),
      ...(isLast ? {} : { link: `<${prefix}/customers?${next}>; rel="next"` }),
    },
  };
}

function handleOrders(shop: Shop, call: Call, id: string | undefined): Reply {
  if (call.method === "GET") return readOrders(shop, call, id);
  if (call.method === "POST" && id === undefined) return createOrder(shop, call);
  const order = shop.orders.find((each) => each.id === id);
  if (order === undefined) return found(undefined, "order", id ?? "");
  if (call.method === "PATCH") return changeOrder(order, call);
  if (call.method !== "DELETE") return { status: 405, headers: { allow: "GET, PATCH, DELETE" } };
  shop.orders.splice(shop.orders.indexOf(order), 1);
  return { status: 204 };
}

/** Pages by cursor: `next_cursor` goes back as `cursor`. */
function readOrders(shop: Shop, { query }: Call, id: string | undefined): Reply {
  if (id !== undefined)
    return found(
      shop.orders.find((order) => order.id === id),
      "order",
      id,
    );
  const status = query.get("status");
  const customer = query.get("customer_id");
  const limit = Math.min(Number(query.get("limit") ?? 100), 500);
  const matching = shop.orders.filter(
    (order) =>
      (status === null || order.status === status) &&
      (customer === null || String(order.customer_id) === customer),
  );
  const start = Math.max(
    0,
    matching.findIndex((order) => order.id === query.get("cursor")),
  );
  const next = matching[start + limit];
  return {
    status: 200,
    body: { orders: matching.slice(start, start + limit), next_cursor: next?.id ?? null },
  };
}

function createOrder(shop: Shop, { body }: Call): Reply {
  const input = parseObject(body);
  if (input === undefined)
    return {
      status: 400,
      body: { error: { code: "bad_json", message: "The body is not a JSON object." } },
    };
  const errors: Record<string, string[]> = {};
  const customer = shop.customers.find((each) => each.id === input["customer_id"]);
  if (customer === undefined) errors["customer_id"] = ["is not the id of a customer"];
  const items = input["items"];
  if (!Array.isArray(items) || items.length === 0)
    errors["items"] = ["must hold at least one item"];
  if (customer === undefined || Object.keys(errors).length > 0) {
    return { status: 422, body: { message: "The order is not valid.", errors } };
  }
  const total = typeof input["total"] === "number" ? input["total"] : 0;
  const order = {
    ...(shop.orders[0] as Order),
    id: `ord_new${shop.orders.length}`,
    number: 60_001,
    customer_id: customer.id,
    status: "pending" as const,
    total,
  };
  shop.orders.push(order);
  return { status: 201, body: order, headers: { location: `/orders/${order.id}` } };
}

function changeOrder(order: Order, { body }: Call): Reply {
  const status = parseObject(body)?.["status"];
  const allowed = ["pending", "paid", "shipped", "refunded"];
  if (typeof status !== "string" || !allowed.includes(status)) {
    return {
      status: 422,
      body: {
        message: "The order is not valid.",
        errors: { status: [`must be one of ${allowed.join(", ")}`] },
      },
    };
  }
  order.status = status as Order["status"];
  return { status: 200, body: order };
}

/** Two exports a second: the first succeeds, the next is told to come back in one second. */
function startExport(shop: Shop): Reply {
  if (shop.exportsLeft > 0) {
    shop.exportsLeft -= 1;
    return {
      status: 202,
      body: { export: "queued" },
      headers: { "x-ratelimit-limit": "1", "x-ratelimit-remaining": "0", "x-ratelimit-reset": "1" },
    };
  }
  shop.exportsLeft = 1;
  return {
    status: 429,
    body: { error: { code: "too_many_exports", message: "One export a second is allowed." } },
    headers: {
      "retry-after": "1",
      "x-ratelimit-limit": "1",
      "x-ratelimit-remaining": "0",
      "x-ratelimit-reset": "1",
    },
  };
}

function found(value: unknown, kind: string, id: string): Reply {
  return value === undefined
    ? { status: 404, body: { error: { code: "not_found", message: `There is no ${kind} ${id}.` } } }
    : { status: 200, body: value };
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? { ...value }
      : undefined;
  } catch {
    return undefined;
  }
}
