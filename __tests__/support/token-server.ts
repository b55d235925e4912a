/** An authorization server and an API in one, by node:http, that can be told to misbehave: refresh tokens rotate, and are good once. */

import { createHash, randomBytes } from "node:crypto";
import type { ServerResponse } from "node:http";
import {
  type ApiSourceRecord,
  type CallContext,
  createSourceClient,
  type SourceClient,
} from "langchain-api-sources";
import { type HttpServer, type ReceivedRequest, sendJson, startHttpServer } from "./http-server.js";
import { noSleep, splitOptions, type TestOptions } from "./seams.js";
import { asRecord } from "./unchecked.js";

export interface TokenServerOptions {
  /** Seconds a token lives; null leaves `expires_in` out. @default 3600 */
  expiresIn?: number | null;
  /** Whether each refresh gives another refresh token, and a second use of one ends its whole family. @default true */
  rotates?: boolean;
  /** Milliseconds before the token endpoint answers. @default 0 */
  delayMs?: number;
  /** A token request that arrives now is answered after this. @default at once */
  held?: Promise<void>;
  /** Members of each token answer that take the place of the right ones. */
  answer?: Record<string, unknown>;
  /** Members of the server's metadata that take the place of the right ones. */
  metadata?: Record<string, unknown>;
  /** Of an API call whose token is over. @default 401 */
  refusedStatus?: number;
  /** Answers the token endpoint instead; true when it did. */
  misbehave?: (request: ReceivedRequest, response: ServerResponse) => boolean;
}

export type TokenServer = Awaited<ReturnType<typeof startTokenServer>>;

export const clientId = "the-client";
export const clientSecret = "cl1ent-s3cret-Kq83hZpW";

interface Family {
  readonly user: string;
  current: string;
  isDead: boolean;
}

export async function startTokenServer(given: TokenServerOptions = {}) {
  const options: TokenServerOptions = { ...given };
  const access = new Map<string, { user: string; untilMs: number }>();
  const families = new Map<string, Family>();
  const codes = new Map<string, { user: string; challenge: string; redirectUri: string | null }>();
  const devices = new Map<string, { userCode: string; isAgreed: boolean }>();
  /** Every token, code and verifier that was ever handed out or in. */
  const canaries = new Set<string>([clientSecret]);
  /** Requests of the token endpoint, as form members. */
  const tokenRequests: (Record<string, string> & { readonly authorization: string })[] = [];
  const make = (kind: string): string => {
    const text = `${kind}-${randomBytes(15).toString("base64url")}`;
    canaries.add(text);
    return text;
  };
  const refuse = (response: ServerResponse, error: string, status = 400): void =>
    sendJson(response, { error, error_description: `told ${error}` }, status);

  const giveTokens = (response: ServerResponse, user: string, family?: Family): void => {
    const { expiresIn = 3_600, rotates = true, answer = {} } = options;
    const token = make("access");
    access.set(token, { user, untilMs: Date.now() + (expiresIn ?? 1e9) * 1_000 });
    let refresh: string | undefined;
    if (family !== undefined && (rotates || family.current === "")) {
      refresh = make("refresh");
      family.current = refresh;
      families.set(refresh, family);
    }
    sendJson(response, {
      access_token: token,
      token_type: "Bearer",
      ...(expiresIn === null ? {} : { expires_in: expiresIn }),
      ...(refresh === undefined ? {} : { refresh_token: refresh }),
      scope: "read write",
      ...answer,
    });
  };

  const refresh = (response: ServerResponse, token: string): void => {
    const family = families.get(token);
    if (family === undefined || family.isDead || family.current !== token) {
      // A second use of one is theft, by RFC 9700 section 4.14: all that came of it ends.
      if (family !== undefined) family.isDead = true;
      server.refused += 1;
      refuse(response, "invalid_grant");
    } else giveTokens(response, family.user, family);
  };

  const answerToken = (request: ReceivedRequest, response: ServerResponse): void => {
    const form = Object.fromEntries(new URLSearchParams(request.body));
    tokenRequests.push({ ...form, authorization: request.headers.authorization ?? "" });
    if (options.misbehave?.(request, response) === true) return;
    if (!isClient(request, form)) {
      refuse(response, "invalid_client", 401);
      return;
    }
    switch (form["grant_type"]) {
      case "client_credentials":
        giveTokens(response, "client");
        return;
      case "refresh_token":
        refresh(response, form["refresh_token"] ?? "");
        return;
      case "authorization_code": {
        const code = codes.get(form["code"] ?? "");
        codes.delete(form["code"] ?? "");
        canaries.add(form["code_verifier"] ?? "none");
        const challenge = createHash("sha256")
          .update(form["code_verifier"] ?? "")
          .digest("base64url");
        const isRight =
          code?.challenge === challenge && (form["redirect_uri"] ?? null) === code.redirectUri;
        if (code === undefined || !isRight) refuse(response, "invalid_grant");
        else giveTokens(response, code.user, { user: code.user, current: "", isDead: false });
        return;
      }
      case "urn:ietf:params:oauth:grant-type:device_code": {
        const device = devices.get(form["device_code"] ?? "");
        if (device === undefined) refuse(response, "expired_token");
        else if (!device.isAgreed) refuse(response, "authorization_pending");
        else {
          devices.delete(form["device_code"] ?? "");
          giveTokens(response, "device", { user: "device", current: "", isDead: false });
        }
        return;
      }
      default:
        refuse(response, "unsupported_grant_type");
    }
  };

  const http = await startHttpServer((request, response) => {
    const { pathname } = new URL(request.url, "http://localhost");
    if (pathname === "/token") {
      const { held } = options;
      const answer = (): void => answerToken(request, response);
      setTimeout(
        () => (held === undefined ? answer() : void held.then(answer)),
        options.delayMs ?? 0,
      );
    } else if (pathname === "/device") {
      if (options.misbehave?.(request, response) === true) return;
      const code = make("device");
      const userCode = `WDJB-${devices.size}`;
      devices.set(code, { userCode, isAgreed: false });
      sendJson(response, {
        device_code: code,
        user_code: userCode,
        verification_uri: `${http.url}/activate`,
        expires_in: 600,
        interval: 1,
      });
    } else if (pathname === "/.well-known/openid-configuration") {
      sendJson(response, {
        issuer: http.url,
        token_endpoint: `${http.url}/token`,
        authorization_endpoint: `${http.url}/authorize`,
        device_authorization_endpoint: `${http.url}/device`,
        ...options.metadata,
      });
    } else if (pathname === "/login") answerLogin(request, response);
    else answerApi(request, response);
  });

  const answerLogin = (request: ReceivedRequest, response: ServerResponse): void => {
    if (!request.body.includes(clientSecret)) {
      sendJson(response, { message: "wrong password" }, 401);
      return;
    }
    const token = make("session");
    access.set(token, {
      user: "login",
      untilMs: Date.now() + (options.expiresIn ?? 3_600) * 1_000,
    });
    sendJson(response, { data: { token, ttl: options.expiresIn ?? 3_600 } });
  };

  const answerApi = (request: ReceivedRequest, response: ServerResponse): void => {
    const token = String(request.headers.authorization ?? request.headers["x-token"] ?? "").replace(
      /^Bearer /,
      "",
    );
    const known = access.get(token);
    const { refusedStatus } = options;
    // A 401 says by itself that the token is over; any other status needs RFC 6750's word.
    const challenge: Record<string, string> =
      refusedStatus === undefined ? {} : { "WWW-Authenticate": 'Bearer error="invalid_token"' };
    if (known === undefined || known.untilMs < Date.now())
      sendJson(response, { message: "no" }, refusedStatus ?? 401, challenge);
    else sendJson(response, { user: known.user, echo: request.headers.authorization });
  };

  const server = {
    ...http,
    /** Holds the token requests that arrive until the first has arrived. @returns what waits for that one, and what answers it. */
    holdOne() {
      let goOn = (): void => {};
      options.held = new Promise((resolve) => {
        goOn = resolve;
      });
      const before = http.requests.filter(({ url }) => url === "/token").length;
      const arrived = async (): Promise<void> => {
        while (http.requests.filter(({ url }) => url === "/token").length === before)
          await new Promise((later) => setTimeout(later, 1));
        delete options.held;
      };
      return { arrived, goOn: () => goOn() };
    },
    options,
    tokenRequests,
    canaries,
    /** How many token requests were refused with `invalid_grant`. */
    refused: 0,
    /** Makes a refresh token, as if a person had agreed elsewhere. */
    makeRefreshToken(user = "someone") {
      const token = make("refresh");
      families.set(token, { user, current: token, isDead: false });
      return token;
    },
    /** Makes every access token that is out there worthless. */
    revokeAccess: () => access.clear(),
    /** Ends every grant. */
    revokeGrants: () => {
      for (const family of families.values()) family.isDead = true;
    },
    /** What the person at the browser does with an `auth_url`: agrees, and comes back to the callback with this URL. */
    agree(authUrl: string, user = "person") {
      const { searchParams } = new URL(authUrl);
      const code = make("code");
      const redirectUri = searchParams.get("redirect_uri");
      codes.set(code, { user, challenge: searchParams.get("code_challenge") ?? "", redirectUri });
      const callback = new URL(redirectUri ?? "http://localhost/callback");
      callback.searchParams.set("code", code);
      callback.searchParams.set("state", searchParams.get("state") ?? "");
      return callback.href;
    },
    /** Enters a user code and agrees. */
    agreeToDevice(userCode: string) {
      for (const device of devices.values())
        if (device.userCode === userCode) device.isAgreed = true;
    },
  };
  return server;
}

function isClient({ headers }: ReceivedRequest, form: Readonly<Record<string, string>>): boolean {
  const pair = Buffer.from((headers.authorization ?? "").replace(/^Basic /, ""), "base64").toString(
    "utf8",
  );
  const [id = "", secret = ""] = pair.split(":").map(decodeURIComponent);
  if (id === clientId && secret === clientSecret) return true;
  return (
    form["client_id"] === clientId && [undefined, clientSecret].includes(form["client_secret"])
  );
}

/** The record of a source at such a server. */
export function createTokenRecord(
  { url }: Pick<HttpServer, "url">,
  oauth2: Readonly<Record<string, unknown>> = {},
  api: Readonly<Record<string, unknown>> = {},
): ApiSourceRecord {
  return asRecord({
    name: "Shop",
    api: {
      baseUrl: `${url}/api`,
      authType: "bearer",
      testEndpoint: "/me",
      ...api,
      oauth2: {
        grant: "client_credentials",
        tokenUrl: `${url}/token`,
        clientId,
        clientSecret: "$" + "{SHOP_CLIENT_SECRET}",
        ...oauth2,
      },
    },
  });
}

export interface Shop extends SourceClient {
  /** What `GET /me` answers. No token, code or secret is in the answer, the artifact or a line of the log. */
  ask(context?: CallContext): Promise<ReturnType<typeof JSON.parse>>;
}

/** A client of that record, with the secrets that it names. */
export function openShop(
  server: TokenServer,
  oauth2: Readonly<Record<string, unknown>> = {},
  { api, ...options }: TestOptions & { readonly api?: Readonly<Record<string, unknown>> } = {},
): Shop {
  const lines: unknown[] = [];
  const log = (...all: unknown[]): void => void lines.push(all);
  const all = splitOptions({
    secrets: {
      SHOP_CLIENT_SECRET: clientSecret,
      SHOP_REFRESH_TOKEN: server.makeRefreshToken("ada"),
    },
    logger: { debug: log, info: log, warn: log, error: log },
    sleep: noSleep,
    ...options,
  });
  const client = createSourceClient(createTokenRecord(server, oauth2, api), ...all);
  return {
    ...client,
    async ask(context) {
      const { content, artifact } = await client.call({ method: "GET", path: "/me" }, context);
      const shown = content + JSON.stringify([artifact, lines]);
      for (const canary of server.canaries)
        if (shown.includes(canary)) throw new Error(`Shown: ${canary} in ${shown}`);
      return JSON.parse(content);
    },
  };
}
