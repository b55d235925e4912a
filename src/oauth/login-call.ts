/** `api.login`: a first call of the API, by the same request policy as every other, whose answer holds a token. */

import { explainFailure } from "../diagnosis/explain-failure.js";
import { ApiSourceError } from "../errors.js";
import type { JsonValue } from "../json/exact-number.js";
import { readRetryAfter } from "../limits/read-rate-limit.js";
import { createWireRequest, type WireRequest } from "../policy/wire-request.js";
import { loadQueryEngine } from "../query/query-engine.js";
import { clipText } from "../text.js";
import { createTransport } from "../transport/create-transport.js";
import type { Deadline } from "../transport/deadline.js";
import { SendError } from "../transport/send-failure.js";
import type { Exchange } from "../transport/transport.js";
import type { Grant } from "./grant.js";
import type { OAuthRuntime } from "./oauth-runtime.js";
import type { ResolvedLogin } from "./resolve-grant.js";

/** An honest answer has some kilobytes. */
const maxBytes = 1_000_000;

/**
 * Logs in.
 *
 * @throws ApiSourceError when the API refuses, nothing comes back, or no token stands where `tokenAt` says.
 */
export async function requestLogin(
  grant: ResolvedLogin,
  runtime: OAuthRuntime,
  deadline: Deadline,
): Promise<Grant> {
  const startedMs = runtime.clock.now();
  const { status, headers, body } = await send(grant, runtime, deadline);
  const text = Buffer.from(body).toString("utf8");
  if (status >= 300) {
    const retryAfterSeconds = readRetryAfter({ status, headers, nowMs: startedMs });
    throw refuseLogin(grant, status, { retryAfterSeconds, text: runtime.redactor().redact(text) });
  }
  const document = parseDocument(text);
  const token = await pick(grant, document, "tokenAt");
  const accessToken = typeof token === "object" && token !== null ? "" : String(token ?? "").trim();
  runtime.hide([accessToken]);
  if (accessToken === "" || typeof token === "boolean") throw refuseToken(grant, document);
  const lifetimeMs = 1_000 * (await readLifetime(grant, document));
  return {
    accessToken,
    obtainedAtMs: startedMs,
    ...(lifetimeMs > 0 ? { expiresAtMs: startedMs + lifetimeMs } : {}),
  };
}

function build({ source, login, resolved }: ResolvedLogin): WireRequest {
  const { basic, form, body, method, path } = login;
  const pair =
    basic === undefined ? "" : Buffer.from(`${basic.username}:${basic.password}`, "utf8").toString("base64");
  const { wire } = createWireRequest({
    api: { ...source.api, bodyFormat: form === undefined ? (source.api.bodyFormat ?? "json") : "form" },
    resolved: {
      ...resolved,
      headers: {
        ...resolved.headers,
        ...login.headers,
        ...(pair === "" ? {} : { Authorization: `Basic ${pair}` }),
      },
    },
    request: { method, path, body: form ?? body },
    applyRules: false,
  });
  return wire;
}

async function send(grant: ResolvedLogin, runtime: OAuthRuntime, deadline: Deadline): Promise<Exchange> {
  const { source, resolved } = grant;
  const { clock, sleep, random, logger, transport: answers } = runtime;
  const { baseUrl, network } = resolved;
  const limits = { ...source.api.limits, maxBytes };
  const transport = createTransport({
    ...{ network, limits, baseUrl, clock, sleep, random, logger },
    transport: answers,
  });
  try {
    const request = build(grant);
    // Its own URL as the base: a login is never carried on to another path.
    const own = request.url.split("?", 1)[0] ?? baseUrl;
    const exchange = await transport.send(request, { baseUrl: own, deadline, redactor: runtime.redactor() });
    const failure = exchange.refusal ?? exchange.failure;
    if (failure !== undefined) throw new SendError(failure);
    return exchange;
  } catch (error) {
    if (!(error instanceof SendError)) throw error;
    const { message, category, retryable, code, hint } = explainFailure(error.failure, baseUrl);
    throw new ApiSourceError({
      message: `The login call of ${source.name} failed: ${message}`,
      category,
      retryable,
      code: code ?? "login_failed",
      hint,
    });
  } finally {
    transport.close();
  }
}

/** A token may come as a text alone. */
function parseDocument(text: string): JsonValue {
  try {
    const parsed: JsonValue = JSON.parse(text);
    return parsed;
  } catch {
    return text.trim();
  }
}

async function pick(
  { source, login }: ResolvedLogin,
  document: JsonValue,
  field: "tokenAt" | "expiresInSecondsAt",
): Promise<JsonValue> {
  const engine = await loadQueryEngine();
  try {
    return engine.run(document, login[field] ?? "null").value;
  } catch (error) {
    if (!(error instanceof ApiSourceError)) throw error;
    throw new ApiSourceError({
      message: `\`login.${field}\` of ${source.name} can't be run on the answer of the login call.`,
      category: "not_configured",
      code: "login_failed",
      hint: "The agent can't change this. Whoever runs the application must correct the expression in the record.",
    });
  }
}

async function readLifetime(grant: ResolvedLogin, document: JsonValue): Promise<number> {
  const { expiresInSecondsAt, expiresInSeconds = 0 } = grant.login;
  const found = expiresInSecondsAt === undefined ? null : await pick(grant, document, "expiresInSecondsAt");
  const seconds = found === null ? Number.NaN : Number(found);
  return Number.isFinite(seconds) && seconds > 0 ? seconds : expiresInSeconds;
}

function refuseLogin(
  { source, login }: ResolvedLogin,
  status: number,
  { retryAfterSeconds, text }: { readonly retryAfterSeconds: number | undefined; readonly text: string },
): ApiSourceError {
  const isServers = status >= 500 || status === 429;
  const said = /^\s*[<]/.test(text) || text.trim() === "" ? "" : ` It said: ${clipText(text, 300)}`;
  return new ApiSourceError({
    message: `The login call ${login.method} ${login.path} of ${source.name} answered ${status}.${said}`,
    category: status === 429 ? "rate_limited" : isServers ? "server_error" : "unauthorized",
    retryable: isServers,
    retryAfterSeconds: isServers ? retryAfterSeconds : undefined,
    code: "login_failed",
    hint: isServers
      ? "Try again later."
      : "The agent can't change this. Whoever runs the application must check the login's variables and `login` in the record.",
  });
}

function refuseToken({ source, login }: ResolvedLogin, document: JsonValue): ApiSourceError {
  const isObject = typeof document === "object" && document !== null && !Array.isArray(document);
  const members = isObject ? ` It has: ${clipText(Object.keys(document).join(", "), 300)}.` : "";
  return new ApiSourceError({
    message: `The login call of ${source.name} was answered, but no token stands at \`${clipText(login.tokenAt, 200)}\`.${members}`,
    category: "not_configured",
    code: "login_failed",
    hint: "The agent can't change this. Whoever runs the application must correct `login.tokenAt` in the record.",
  });
}
