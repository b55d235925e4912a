import { randomBytes } from "node:crypto";
import { describe, expect, it } from "@jest/globals";
import { createSourceClient, fileTokenStore } from "langchain-api-sources";
import {
  type HttpServer,
  type ReceivedRequest,
  type Respond,
  sendJson,
  startHttpServer,
} from "../../support/http-server.js";
import { noSleep, splitOptions, type TestOptions } from "../../support/seams.js";
import { useDirectory } from "../../support/temporary-directory.js";

const password = "p4ssword-of-ada";
const secrets = { SHOP_PASSWORD: password };
const name = (variable: string): string => `\${${variable}}`;

/** An application with sessions; every cookie it ever gave is in `canaries`. */
interface App extends HttpServer {
  readonly sessions: Set<string>;
  readonly canaries: string[];
  logins: number;
}

interface AppOptions {
  readonly cookie: string;
  readonly attributes?: string;
  readonly login: string;
  /** Answers the login call, once the password is right. */
  readonly welcome: (response: Parameters<Respond>[1], cookie: string) => void;
  /** Answers a call with a session. */
  readonly answer?: Respond;
}

let app: App;
const directory = useDirectory();

async function startApp({
  cookie,
  attributes = "; Path=/; HttpOnly",
  login,
  welcome,
  answer,
}: AppOptions): Promise<App> {
  const sessions = new Set<string>();
  const canaries: string[] = [password];
  const http = await startHttpServer((request, response) => {
    const isLogin =
      request.url === login &&
      `${request.body}${Buffer.from(String(request.headers.authorization).slice(6), "base64")}`.includes(
        password,
      );
    if (isLogin) {
      app.logins += 1;
      welcome(response, give(app, cookie, attributes));
    } else if (request.url === login) sendJson(response, { message: "wrong password" }, 401);
    else if (sessions.has(String(request.headers.cookie))) (answer ?? echo)(request, response);
    // As Tomcat does: whoever has no session gets one, which is good for nothing.
    else
      sendJson(response, { message: "no session" }, 401, {
        "set-cookie": `${cookie}=anonymous-${randomBytes(9).toString("hex")}${attributes}`,
      });
  });
  return { ...http, sessions, canaries, logins: 0 };
}

function give(to: App, cookie: string, attributes: string): string {
  const value = randomBytes(12).toString("hex");
  to.sessions.add(`${cookie}=${value}`);
  to.canaries.push(value);
  return `${cookie}=${value}${attributes}`;
}
const echo = ({ headers, url }: ReceivedRequest, response: Parameters<Respond>[1]): void =>
  sendJson(response, {
    user: "ada",
    url,
    cookie: headers.cookie,
    value: headers.cookie?.split("=")[1],
  });

/** Grafana: JSON in, 200 and the cookie. */
const grafana: AppOptions = {
  cookie: "grafana_session",
  attributes: "; Path=/; Max-Age=2592000; HttpOnly; SameSite=Lax",
  login: "/login",
  welcome: (response, cookie) =>
    sendJson(response, { message: "Logged in" }, 200, { "set-cookie": cookie }),
};
const grafanaLogin = {
  path: "/login",
  body: { user: "ada", password: name("SHOP_PASSWORD") },
  cookie: "grafana_session",
};

/** Jenkins: the name of the cookie has an id of the server; a form is answered with a redirect. */
const jenkins: AppOptions = {
  cookie: "JSESSIONID.d71bf55a",
  login: "/j_spring_security_check",
  welcome: (response, cookie) => {
    response.writeHead(302, {
      location: "/",
      "set-cookie": ["remember-me=; Max-Age=0", "JSESSIONID.d71bf55a=; Max-Age=0", cookie],
    });
    response.end();
  },
};
const jenkinsLogin = {
  path: "/j_spring_security_check",
  form: { j_username: "ada", j_password: name("SHOP_PASSWORD") },
  cookie: "JSESSIONID",
};

const record = (login: object, api: object = {}) => ({
  name: "Shop",
  api: { baseUrl: app.url, testEndpoint: "/api/me", login, ...api } as never,
});
function open(login: object, options: TestOptions = {}, api: object = {}) {
  const lines: unknown[] = [];
  const log = (...all: unknown[]): void => void lines.push(all);
  const logger = { debug: log, info: log, warn: log, error: log };
  const client = createSourceClient(
    record(login, api),
    ...splitOptions({ secrets, logger, ...options }),
  );
  return async (path = "/api/me") => {
    const { content, artifact } = await client.call({ method: "GET", path });
    const shown = content + JSON.stringify([artifact, lines]);
    for (const canary of app.canaries) expect(shown).not.toContain(canary);
    expect(shown).not.toMatch(/anonymous-\w/);
    return JSON.parse(content);
  };
}

describe.each([
  ["Grafana", grafana, grafanaLogin],
  ["Jenkins", jenkins, jenkinsLogin],
] as const)("a session of %s", (_name, options, login) => {
  it("is obtained by one login call, sent with each call, in no output, and renewed once after a 401, whose own cookie is not taken", async () => {
    app = await startApp(options);
    const ask = open(login);
    const answers = await Promise.all([ask(), ask("/api/a"), ask("/api/b")]);
    expect(answers[0]).toEqual({
      status: 200,
      data: {
        user: "ada",
        url: "/api/me",
        cookie: "[REDACTED]",
        value: "[REDACTED]",
      },
    });
    expect(app.logins).toBe(1);
    app.sessions.clear();
    expect((await ask()).status).toBe(200);
    expect(app.logins).toBe(2);
    expect((await ask()).status).toBe(200);
    expect(app.logins).toBe(2);
  });
});

describe("a session cookie", () => {
  it.each([
    ["a redirect", 302],
    ["an answer that is retried", 503],
    ["a success", 200],
  ])("that %s sets is redacted, and not kept", async (_what, status) => {
    app = await startApp({
      ...grafana,
      answer: (request, response) => {
        const isFirst = !response.req.url?.includes("again") && app.canaries.length === 2;
        if (!isFirst) return sendJson(response, { now: app.canaries.at(-1), url: request.url });
        app.canaries.push("r3newed-0a1b2c3d4e");
        const headers = {
          location: "/api/again",
          "set-cookie": "grafana_session=r3newed-0a1b2c3d4e",
        };
        sendJson(response, { now: app.canaries.at(-1) }, status, headers);
      },
    });
    const ask = open(grafanaLogin, { sleep: noSleep });
    expect((await ask()).data.now).toBe("[REDACTED]");
    expect((await ask()).status).toBe(200);
    expect(app.logins).toBe(1);
  });

  it("is redacted alone, too, by a process that only reads it from the token store", async () => {
    app = await startApp(grafana);
    for (const _ of [1, 2])
      expect(
        (await open(grafanaLogin, { tokenStore: fileTokenStore(directory()) })()).data.value,
      ).toBe("[REDACTED]");
    expect(app.logins).toBe(1);
  });

  it("is sent to the source's origin alone", async () => {
    const other = await startHttpServer();
    app = await startApp({
      ...grafana,
      answer: (_request, response) =>
        sendJson(response, {}, 302, { location: `${other.url}/api/me` }),
    });
    const answer = await open(grafanaLogin, {}, { network: { downloadHosts: ["localhost"] } })();
    expect(answer.error.category).toBe("refused_by_policy");
    expect(other.requests).toHaveLength(0);
  });
});
