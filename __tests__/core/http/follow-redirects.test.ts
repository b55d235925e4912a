import { afterEach, describe, expect, it } from "@jest/globals";
import { explainFailure } from "../../../src/core/failure/explain-failure.js";
import { httpMethods } from "../../../src/core/record/api-source.js";
import { createRedactor } from "../../../src/core/secrets/redactor.js";
import { Secret } from "../../../src/core/secrets/secret.js";
import { answerWith, startRawServer } from "../../support/raw-server.js";
import {
  canary,
  createTestLimiter,
  createTestTransport,
  type TestCall,
} from "../../support/test-transport.js";

/** The status and the Location of each path. */
let routes: Record<string, readonly [number, string?]> = {};
const api = await startRawServer(({ target }, socket) => {
  const [status, location] = routes[target] ?? [200];
  answerWith(
    socket,
    status,
    `body of ${target}`,
    location === undefined ? {} : { Location: location },
  );
});
const evil = await startRawServer();
const transport = createTestTransport(`${api.url}/v1`);

afterEach(() => {
  routes = {};
  expect(evil.connections.opened).toBe(0);
});

const withCredential: TestCall = {
  authenticate: (config) => {
    config.headers.set("X-API-Key", canary, true);
    return config;
  },
};

const targets = (): string[] => api.requests.map(({ target }) => target);

const redirects = [300, 301, 302, 303, 304, 305, 306, 307, 308, 399];
const followed = [301, 302, 303, 307, 308];

describe("a redirect", () => {
  it.each(redirects)(
    "with %d never leads to another origin, whatever the method",
    async (status) => {
      const host = `127.0.0.1:${evil.port}/v1/x`;
      for (const method of httpMethods) {
        for (const place of [`http://${host}`, `//${host}`, `\\\\${host}`, `http://u:p@${host}`]) {
          routes["/v1/x"] = [status, place];
          const exchange = await transport.send({ method }, withCredential);
          expect(exchange).toMatchObject({ status, attempts: 1 });
          expect(exchange.refusal?.kind).toBe(status === 304 ? undefined : "redirect");
        }
      }
    },
  );

  it("that is refused is shown without a session id in its path", async () => {
    routes["/v1/x"] = [302, "https://shop.example/a;jsessionid=abc;v=2/b?c=1"];
    const { refusal } = await transport.send({});
    expect(refusal).toMatchObject({ target: "https://shop.example/a;v=2/b" });
  });

  it.each(followed)(
    "with %d of a GET is followed with the credential, and where it ended is said",
    async (status) => {
      routes["/v1/x"] = [status, "/v1/y?page=2#top"];
      const exchange = await transport.send({ headers: { "X-Own": "1" } }, withCredential);
      expect(targets()).toEqual(["/v1/x", "/v1/y?page=2"]);
      expect(api.requests.map(({ headers }) => [headers["x-api-key"], headers["x-own"]])).toEqual([
        [canary, "1"],
        [canary, "1"],
      ]);
      expect(exchange).toMatchObject({ status: 200, attempts: 2, url: `${api.url}/v1/y?page=2` });
      expect(Buffer.from(exchange.body).toString()).toBe("body of /v1/y?page=2");
    },
  );

  it.each([300, 305, 306, 399])(
    "with %d is not followed, even inside the base path",
    async (status) => {
      routes["/v1/x"] = [status, "/v1/y"];
      const { refusal, body } = await transport.send({});
      expect(targets()).toEqual(["/v1/x"]);
      expect(refusal).toMatchObject({
        status,
        target: `${api.url}/v1/y`,
        reason: "unsupported_status",
      });
      expect(Buffer.from(body).toString()).toBe("body of /v1/x");
    },
  );

  it.each([
    ["GET", 300, undefined],
    ["GET", 304, undefined],
    ["GET", 302, "no_target"],
    ["PUT", 308, "no_target"],
  ] as const)(
    "of a %s with %d and without Location is taken as it is",
    async (method, status, reason) => {
      routes["/v1/x"] = [status];
      const { refusal } = await transport.send({ method });
      expect(refusal?.reason).toBe(reason);
      const error = refusal && explainFailure(refusal, "https://api.example.com");
      expect(error?.category).toBe(reason && "unexpected_content");
    },
  );

  it.each([
    [
      "https://u:p@other.example/x?n=1",
      "other_origin",
      "https://other.example/x",
      /"other.example" to network/,
    ],
    ["http://[fe80::1]/x", "other_origin", "http://[fe80::1]/x", /wrong base URL/],
    ["file:///etc/passwd", "other_origin", "file:///etc/passwd", /wrong base URL/],
    ["/login", "outside_base_path", "/login", /of a login page/],
    ["../../admin", "outside_base_path", "/admin", /base URL/],
    [
      "https://127.0.0.1:8443/v1/x",
      "http_to_https",
      "https://127.0.0.1:8443/v1/x",
      /same URL with https:/,
    ],
    ["http://[", "malformed", '"http://["', /without a redirect/],
  ])("to %s is refused, with its meaning", async (location, reason, target, hint) => {
    routes["/v1/x"] = [302, location];
    const { refusal } = await transport.send({});
    const shown = target.startsWith("/") ? `${api.url}${target}` : target;
    const error = refusal && explainFailure(refusal, "https://api.example.com");
    expect(error).toMatchObject({ details: { redirect: { status: 302, target: shown, reason } } });
    expect(error?.message).toContain(shown);
    expect(error?.hint).toMatch(hint);
  });

  it("shows no secret of its target, followed or not", async () => {
    routes["/v1/x"] = [302, `http://evil.example/${canary}/?key=${canary}`];
    const { refusal } = await transport.send({});
    expect(JSON.stringify(refusal)).not.toContain(canary);
    expect(refusal?.target).toBe("http://evil.example/[REDACTED]/");
    routes["/v1/x"] = [302, `/v1/y?key=${canary}`];
    expect((await transport.send({})).url).toBe(`${api.url}/v1/y?key=[REDACTED]`);
  });

  it.each([
    [
      "where the rule that refuses it quotes the beginning of its path",
      `/v1/admin/*${canary}`,
      "denied by",
    ],
    ["where it stands for the host, in lower case", `//*${canary.toUpperCase()}/x`, "redirect"],
    [
      "where what is shown ends at its query",
      `/v1/admin/*${canary}`.replace("canary", "can?ary"),
      "[REDACTED]",
    ],
  ])("shows no piece of a secret %s", async (_where, location, told) => {
    const secret = location.slice(location.indexOf("*") + 1).replace("/x", "");
    const call: TestCall = {
      redactor: createRedactor([new Secret(secret)]),
      redirects: { rules: { methods: httpMethods, query: {}, paths: { deny: ["/admin/**"] } } },
    };
    for (let length = 80; length < 130; length += 7) {
      routes["/v1/x"] = [302, location.replace("*", "p".repeat(length))];
      const { refusal } = await transport.send({}, call);
      const text = JSON.stringify(
        refusal && [refusal, explainFailure(refusal, api.url)],
      ).toLowerCase();
      expect(text).toContain(told.toLowerCase());
      expect(text).not.toContain(secret.slice(0, 4).toLowerCase());
    }
  });

  it.each(followed)(
    "with %d of a write has it sent once, and what to GET is said",
    async (status) => {
      routes["/v1/x"] = [status, "/v1/jobs/7?token=1"];
      for (const method of ["POST", "PUT", "PATCH", "DELETE"] as const) {
        const { refusal } = await transport.send({ method });
        const error = refusal && explainFailure(refusal, "https://api.example.com");
        expect(error).toMatchObject({ retryable: false, category: "refused_by_policy" });
        expect(error?.message).toContain(`The ${method} was received and answered with ${status}`);
        expect(error?.hint).toContain("GET /jobs/7 to see whether it was carried out.");
        expect(error?.hint.includes(`send the ${method} to /jobs/7 instead`)).toBe(status !== 303);
      }
      expect(targets()).toEqual(Array.from({ length: 4 }, () => "/v1/x"));
    },
  );

  it("is not followed with a GET that may change something: its body would go to another address", async () => {
    routes["/v1/x"] = [307, "/v1/y"];
    const { refusal } = await transport.send({}, { getMayChange: true });
    expect(targets()).toEqual(["/v1/x"]);
    expect(refusal).toMatchObject({ reason: "write" });
  });

  it("that closes a loop ends it", async () => {
    routes["/v1/x"] = [302, "/v1/y"];
    routes["/v1/y"] = [302, "/v1/x"];
    const { refusal } = await transport.send({});
    expect(targets()).toEqual(["/v1/x", "/v1/y"]);
    expect(refusal).toMatchObject({ reason: "loop" });
  });

  it("is followed five times and not a sixth", async () => {
    for (let hop = 0; hop < 10; hop += 1)
      routes[hop === 0 ? "/v1/x" : `/v1/${hop}`] = [302, `/v1/${hop + 1}`];
    const { refusal, attempts } = await transport.send({});
    expect(attempts).toBe(6);
    expect(refusal).toMatchObject({
      reason: "too_many",
      target: `${api.url}/v1/6`,
    });
  });

  it("that is followed has its body left unread", async () => {
    const endless = await startRawServer((request, socket) => {
      if (request.target === "/v1/y") answerWith(socket, 200, "end");
      else socket.write("HTTP/1.1 302 X\r\nLocation: /v1/y\r\nTransfer-Encoding: chunked\r\n\r\n");
    });
    const own = createTestTransport(`${endless.url}/v1`);
    expect(await own.send({})).toMatchObject({ status: 200 });
    // The connection of the first hop is gone, that of the second is kept.
    while (endless.connections.open > 1) await new Promise((resolve) => setTimeout(resolve, 5));
  });

  it("waits for its turn at each hop", async () => {
    routes["/v1/x"] = [302, "/v1/y"];
    const { rateLimit, turns } = createTestLimiter();
    await transport.send({}, { rateLimit });
    expect(turns()).toBe(2);
  });
});
