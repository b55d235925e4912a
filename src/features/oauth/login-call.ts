/** `api.login`: a first call of the API, by the same request policy as every other, whose answer holds a token. */

import { ApiSourceError } from "../../core/base/errors.js";
import { isJsonNumber, type JsonValue } from "../../core/base/exact-number.js";
import { isPlainObject } from "../../core/base/input.js";
import { parseJson } from "../../core/base/parse-json.js";
import { clipText } from "../../core/base/text.js";
import type { Deadline } from "../../core/http/deadline.js";
import { readHeader } from "../../core/http/limits/rate-limit.js";
import { SendError } from "../../core/http/send-failure.js";
import type { Exchange } from "../../core/http/transport.js";
import { loadQueryEngine } from "../../core/query/query-engine.js";
import { listStrings } from "../../core/record/list-strings.js";
import { createWireRequest } from "../../core/request/wire-request.js";
import {
  isCredentialLike,
  listSessionCookies,
  listSetCookies,
} from "../../core/secrets/issued-secrets.js";
import { quoteAnswer, refuseFailure, refuseSetup, refuseStatus } from "./refusals.js";
import type { OAuthRuntime, ResolvedLogin } from "./resolve-grant.js";
import { sendAlone } from "./token-endpoint.js";
import type { Grant } from "./token-store.js";

const code = "login_failed";

/**
 * Logs in.
 *
 * @throws ApiSourceError when the API refuses, nothing comes back, or has no token at `tokenAt`.
 */
export async function requestLogin(
  grant: ResolvedLogin,
  runtime: OAuthRuntime,
  deadline: Deadline,
): Promise<Grant> {
  const startedMs = runtime.clock.now();
  const exchange = await send(grant, runtime, deadline);
  const document = parseDocument(Buffer.from(exchange.body).toString("utf8"));
  const { cookie: name, expiresInSeconds = 0 } = grant.login;
  // A form in a browser is answered with a redirect, and with the session.
  if (exchange.status >= (name === undefined ? 300 : 400))
    throw refuseLogin(grant, exchange, quoteReasons(document, runtime), startedMs);
  const cookie =
    name === undefined ? undefined : listSessionCookies(exchange.headers, name, startedMs).at(-1);
  const found = cookie
    ? `${cookie.name}=${cookie.value}`
    : (readTokenHeader(grant, exchange) ?? (await pick(grant, document, "tokenAt")));
  const accessToken = typeof found === "string" || isJsonNumber(found) ? String(found).trim() : "";
  runtime.hide([accessToken, cookie?.value]);
  if (accessToken === "") throw refuseAnswer(grant, exchange, document, runtime);
  const seconds = Number(await pick(grant, document, "expiresInSecondsAt"));
  const lifetimeMs = 1_000 * (Number.isFinite(seconds) && seconds > 0 ? seconds : expiresInSeconds);
  const expiresAtMs = lifetimeMs > 0 ? startedMs + lifetimeMs : cookie?.endMs;
  return { accessToken, obtainedAtMs: startedMs, expiresAtMs };
}

async function send(
  { source, login, resolved }: ResolvedLogin,
  runtime: OAuthRuntime,
  deadline: Deadline,
): Promise<Exchange> {
  const { basic, form, body, method, path } = login;
  const headers: Record<string, string> = { ...resolved.headers, ...login.headers };
  if (basic !== undefined) {
    const pair = Buffer.from(`${basic.username}:${basic.password}`, "utf8").toString("base64");
    headers["Authorization"] = `Basic ${pair}`;
  }
  const { wire } = createWireRequest({
    api: {
      ...source.api,
      bodyFormat: form === undefined ? (source.api.bodyFormat ?? "json") : "form",
    },
    resolved: { ...resolved, headers },
    request: { method, path, body: form ?? body },
    applyRules: false,
  });
  const { network } = resolved;
  const how = { runtime, source, network, deadline, keepsRedirect: login.cookie !== undefined };
  return sendAlone(wire, how).catch((error: unknown) => {
    if (!(error instanceof SendError)) throw error;
    throw refuseFailure(error.failure, `The login call of ${source.name} failed`, wire.url, code);
  });
}

/** A token may come as a text alone. */
function parseDocument(given: string): JsonValue {
  const text = given.replace(/^\ufeff/, "");
  try {
    return parseJson(text);
  } catch {
    return text.trim();
  }
}

const headerPrefix = "header:";

/** The token in the header that `tokenAt` names as `header:NAME`; undefined where `tokenAt` is an expression. */
function readTokenHeader({ source, login }: ResolvedLogin, exchange: Exchange): string | undefined {
  const { tokenAt = "" } = login;
  if (!tokenAt.startsWith(headerPrefix)) return undefined;
  const name = tokenAt.slice(headerPrefix.length).toLowerCase();
  const value = readHeader(exchange.headers, name) ?? "";
  // `Authorization: Bearer …` in an answer has the scheme that the requests are sent with.
  const { authType, authScheme = "" } = source.api;
  const scheme = `${authScheme} `.toLowerCase();
  const hasScheme = authType === "bearer" && value.toLowerCase().startsWith(scheme);
  return hasScheme ? value.slice(scheme.length).trim() : value;
}

/** Null where the record has no such expression. */
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
    throw refuseSetup(
      `\`login.${field}\` of ${source.name} can't be run on the answer of the login call.`,
      code,
      "correct the expression in the record",
    );
  }
}

/** By these an answer gives the reason why it refuses. Any other member may be the first half of a login. */
const reason = /^(?:error|error_description|message|title|detail)$/;

/** The part of an answer that may be quoted, in its form: `{"error":{"message":"…"}}`. */
function pickReasons(document: unknown, isInner = false): Record<string, unknown> {
  const members = isPlainObject(document) ? Object.entries(document) : [];
  const reasons = members.flatMap(([name, value]) => {
    if (!reason.test(name)) return [];
    if (typeof value === "string") return [[name, value]];
    const inner = isInner ? {} : pickReasons(value, true);
    return Object.keys(inner).length === 0 ? [] : [[name, inner]];
  });
  return Object.fromEntries(reasons);
}

/** To search for more takes seconds, and an answer that refuses a login has a few. */
const maxOthers = 500;

/** The reasons as JSON text. What another member holds may be the first half of a login: no reason repeats it. */
function quoteReasons(document: JsonValue, runtime: OAuthRuntime): string {
  const reasons = pickReasons(document);
  const quoted = new Set(listStrings(reasons));
  const others = new Set<string>();
  // Not by recursion: an answer may be nested to any depth.
  const open: unknown[] = [document];
  while (open.length > 0) {
    const value = open.pop();
    if (typeof value === "object" && value !== null)
      for (const each of Object.values(value)) open.push(each);
    else if (typeof value === "string" && !quoted.has(value) && isCredentialLike(value))
      others.add(value);
  }
  return others.size > maxOthers
    ? "{}"
    : quoteAnswer(runtime, JSON.stringify(reasons), 300, [...others]);
}

function refuseLogin(
  { source, login }: ResolvedLogin,
  exchange: Exchange,
  reasons: string,
  nowMs: number,
): ApiSourceError {
  const { status } = exchange;
  const quoted = reasons === "{}" ? "" : ` It answered: ${reasons}`;
  // RFC 9110, sections 15.5.5, 15.5.6 and 15.5.11: about the address, whatever the credential.
  const isAddress = [404, 405, 410].includes(status);
  const refusal = refuseSetup(
    `The login call ${login.method} ${login.path} of ${source.name} answered ${status}.${quoted}`,
    code,
    isAddress
      ? "correct `login.method` and `login.path`, which begins below `baseUrl`, in the record"
      : "check the login's variables and `login` in the record",
    isAddress ? {} : { category: "unauthorized" },
  );
  return refuseStatus(exchange, nowMs, refusal);
}

/** A name of sixteen characters and three digits may be an id, as in recordings. */
const nameWithId = /^(?=(?:.*\d){3}).{16}/s;

/** The answer has no token, or no session cookie. */
function refuseAnswer(
  { source, login: { cookie, tokenAt = "" } }: ResolvedLogin,
  { headers }: Exchange,
  document: JsonValue,
  runtime: OAuthRuntime,
): ApiSourceError {
  const [field, what] =
    cookie === undefined ? ["tokenAt", "token at"] : ["cookie", "living cookie"];
  const members = Object.keys(isPlainObject(document) ? document : {});
  const inBody = tokenAt.startsWith(headerPrefix) ? Object.keys(headers) : members;
  const names = cookie === undefined ? inBody : listSetCookies(headers, 0).map(({ name }) => name);
  // A name may be what was issued: a dictionary of sessions.
  const issued = names.filter((name) => nameWithId.test(name)).slice(0, maxOthers);
  const listed = quoteAnswer(runtime, names.join(", "), 300, issued);
  const there = names.length === 0 ? "" : ` It has: ${listed}.`;
  return refuseSetup(
    `The answer to the login call of ${source.name} has no ${what} \`${clipText(cookie ?? tokenAt, 200)}\`.${there}`,
    code,
    `check the login's variables, and \`login.${field}\` in the record`,
  );
}
