/** An application in development: a shop's API, a toolkit over it, and an inspector of its calls. */

import { ApiSourceToolkit, type ClientOptions } from "langchain-api-sources";
import { createInspector, type InspectorOptions } from "langchain-api-sources/inspector";
import { type ReceivedRequest, sendJson, startHttpServer } from "./http-server.js";
import type { TestOptions } from "./seams.js";

const shopToken = "canary-7f2c9a4e1b8d6035";
const header = "canary-of-a-header-51d2e8";
/** What must not be on the page, or in anything that it receives. */
export const shopSecrets: readonly string[] = [shopToken, header];
/** An answer that tries to run in the page of its reader. */
export const script =
  "<script>document.title='run'</script><img src=x onerror=\"document.title='run'\">";

export type InspectedShop = Awaited<ReturnType<typeof openInspectedShop>>;

/** @param options - Those of the toolkit. */
export async function openInspectedShop(
  settings: InspectorOptions & Pick<TestOptions, "clock"> = {},
  options: ClientOptions = {},
) {
  /** Has `GET /slow` answered: it waits until then, so that a slow machine sees it run, too. */
  let answerSlow = (): void => {};
  const isAnswered = new Promise<void>((resolve) => {
    answerSlow = resolve;
  });
  const api = await startHttpServer(async (request, response) => {
    if (request.url === "/v1/slow") await isAnswered;
    sendJson(response, ...findAnswer(request));
  });
  // A second between any two looks at the clock: each question is at its place for long enough.
  let nowMs = 0;
  const { clock = { now: () => (nowMs += 1_000) }, ...own } = settings;
  const inspector = createInspector(own, clock);
  const { approver, onCall } = inspector;
  const toolkit = await ApiSourceToolkit.fromSources(
    [
      {
        name: "Shop",
        api: {
          baseUrl: `${api.url}/v1`,
          authType: "bearer",
          allowedHeaders: ["X-Trace"],
          methods: ["GET", "POST"],
          headers: { "X-Tenant": "${TENANT}" },
          limits: { maxTokens: 900 },
        },
      },
    ],
    {
      credentials: { shop: { token: shopToken } },
      secrets: { TENANT: header },
      approve: "writes",
      approver,
      onCall,
      ...options,
    },
  );
  const [shop] = toolkit.listClients();
  if (shop === undefined) throw new Error("There is no client.");
  const page = await inspector.start(toolkit);
  return { api, toolkit, shop, page, answerSlow };
}

type Answer = readonly [body: unknown, status?: number, headers?: Record<string, string>];

/** Of `/busy`, which refuses every other request. */
let refused = 0;

function findAnswer({ method, url, headers, body }: ReceivedRequest): Answer {
  const path = url.split("?")[0] ?? "";
  if (headers.authorization === undefined) return [{ message: "Sign in." }, 401];
  if (method !== "GET") return [{ id: 61, saved: JSON.parse(body) }, 201];
  if (path === "/v1/orders") return [{ orders: listOrders(), total: 60 }];
  if (path === "/v1/echo")
    return [{ authorization: headers.authorization, tenant: headers["x-tenant"] }];
  if (path === "/v1/me" || path === "/v1/slow") return [{ id: 1, name: "Ada" }];
  if (path.startsWith("/v1/script"))
    return [{ [script]: script, error: script }, 200, { "x-note": script }];
  if (path === "/v1/busy") {
    refused += 1;
    return refused % 2 === 1
      ? [{ message: "Slow down." }, 429, { "retry-after": "2" }]
      : [{ ok: true }];
  }
  return [{ message: `Nothing at ${decodeURIComponent(path)}: ${script}` }, 404];
}

function listOrders(): object[] {
  return Array.from({ length: 60 }, (_, index) => ({
    id: index + 1,
    status: ["open", "paid", "sent"][index % 3],
    customer: {
      id: 100 + (index % 7),
      name: ["Ada", "Grace", "Edsger", "Barbara"][index % 4],
      city: "Utrecht",
    },
    lines: [{ sku: `SKU-${index}`, quantity: (index % 5) + 1, price: "19.90" }],
    note: `Deliver to the back door, please ring twice. The order was placed by telephone, number ${index}.`,
  }));
}
