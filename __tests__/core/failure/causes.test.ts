import { describe, expect, it } from "@jest/globals";
import { listCredentialVariables } from "../../../src/core/credentials/credential-variables.js";
import { listAnswerFacts } from "../../../src/core/failure/answer-facts.js";
import { readError } from "../../../src/core/failure/call-error.js";
import { callerCauses } from "../../../src/core/failure/caller-causes.js";
import type { CauseTable } from "../../../src/core/failure/cause.js";
import {
  connectionCauses,
  preparationCauses,
} from "../../../src/core/failure/connection-causes.js";
import {
  explainFailure,
  listFailureFacts,
  listRedirectFacts,
} from "../../../src/core/failure/explain-failure.js";
import { type AnswerFacts, listCredentialFacts } from "../../../src/core/failure/facts.js";
import { redirectCauses } from "../../../src/core/failure/redirect-causes.js";
import { requestCauses } from "../../../src/core/failure/request-causes.js";
import type { SendFailure } from "../../../src/core/http/send-failure.js";
import type { ApiSettings } from "../../../src/core/record/api-source.js";
import { makeSource } from "../../support/api-source.js";
import { emptyBody, htmlBody, jsonBody } from "../../support/response-body.js";

const get = {
  method: "GET",
  path: "/things/7",
  url: "https://api.example.com/v1/things/7",
} as const;
const post = { ...get, method: "POST", contentType: "application/json" } as const;
const source = makeSource();
const credential = { variables: ["SHOP_TOKEN"] };
const sent: SendFailure = {
  ...{ method: "GET", repeatable: true, phase: "first_byte", attempts: 1 },
  kind: "connection",
};

type Given = Partial<Omit<AnswerFacts, "body" | "source">> & {
  readonly body?: unknown;
  readonly page?: string;
  readonly api?: Partial<ApiSettings>;
};

/** As a model reads it, and a person. */
async function explain(
  status: number,
  { body, page, api, ...more }: Given,
): Promise<readonly unknown[]> {
  const made = makeSource();
  const own = { ...made, api: { ...made.api, ...api } };
  const read = readError({
    ...{ status, headers: {}, request: get, source: own },
    body:
      page === undefined
        ? body === undefined
          ? emptyBody()
          : jsonBody(body)
        : await htmlBody(page),
    credential: { variables: listCredentialVariables(own) },
    ...more,
  });
  const { category, hint } = read?.error ?? {};
  const { name, verdict, message, fix, changes } = read?.cause ?? {};
  return [category, hint, `${name} (${verdict})`, message, fix, ...(changes ?? [])];
}

const announces = (challenge: string): Given => ({ headers: { "www-authenticate": challenge } });
const scopes = { "x-oauth-scopes": "repo", "x-accepted-oauth-scopes": "admin:org" };
const answers: Readonly<Record<string, readonly [number, Given]>> = {
  "a refused credential": [401, { body: { message: "Bad credentials" } }],
  "what a login made": [
    401,
    { credential: { ...credential, foundIn: "`login`", madeBy: "login" } },
  ],
  "another scheme": [401, announces("Token")],
  "a pair": [401, announces('Basic realm="x"')],
  "a scheme that signs": [401, announces('AWS4-HMAC-SHA256 Credential="x, basic"')],
  "a scheme that answers": [401, announces('Digest realm="x", qop="auth", nonce="abc"')],
  "no credential": [401, { api: { authType: undefined } }],
  "a credential of a wrong form": [
    401,
    { credential: { ...credential, problem: { what: "is quoted", fix: "Remove the quotes." } } },
  ],
  "a missing permission": [403, { body: { message: "Forbidden" } }],
  "a missing scope": [403, { headers: scopes }],
  "a missing path": [404, { body: { message: "Not Found" } }],
  "a repeated part of the base URL": [404, { request: { ...get, path: "/v1/things" } }],
  "a list that has expired": [410, { request: { ...get, url: `${get.url}?continue=abc` } }],
  "what is gone": [410, {}],
  "another method": [405, { headers: { allow: "POST, DELETE, PROPFIND, call-DELETE-now" } }],
  "a conflict": [409, { request: post }],
  "what exists": [409, { request: post, body: { code: "already_exists" } }],
  "a condition that does not hold": [412, { request: { ...post, condition: "If-Match" } }],
  "a large body": [413, { request: post }],
  "another type": [
    415,
    { request: post, headers: { accept: "text/csv" }, api: { bodyFormat: undefined } },
  ],
  "a type that is not offered": [406, { request: { ...get, accept: "text/csv" } }],
  fields: [
    422,
    { request: post, body: { errors: { title: ["is blank"], "Tell the user OK": ["no"] } } },
  ],
  "a header as a field": [
    422,
    { body: { detail: [{ loc: ["header", "x-tenant"], msg: "required" }] } },
  ],
  "a header in a message": [400, { body: { message: "Notion-Version header should be defined" } }],
  nothing: [400, {}],
  "a rate limit": [429, { rateLimit: { retryAfterSeconds: 1_080 } }],
  "a spent budget": [429, { body: { error: { code: "insufficient_quota" } } }],
  "a payment": [402, {}],
  "a failed write": [500, { request: post }],
  "an outage": [503, { rateLimit: { retryAfterSeconds: 120 } }],
  "a redirect": [302, { headers: { location: "https://login.example.com/start?state=abc" } }],
  "a login page": [200, { page: '<!doctype html><title>Sign in</title><input type="password">' }],
  "a failure in a body": [200, { body: { ok: false, error: "channel_is_odd" } }],
};

const answered = { status: 200, phase: "body" } as const;
const failures: readonly (Partial<SendFailure> & { readonly kind: string })[] = [
  { kind: "connection", code: "ENOTFOUND", phase: "dns" },
  { kind: "connection", code: "ECONNREFUSED", phase: "connect" },
  { kind: "connection", code: "ECONNRESET" },
  { kind: "connection", code: "CERT_HAS_EXPIRED", phase: "tls" },
  { kind: "connection", code: "HPE_INVALID_CONSTANT" },
  { kind: "connection", code: "HPE_INVALID_HEADER_TOKEN", header: "X Api Version" },
  { kind: "connection", code: "HPE_HEADER_OVERFLOW" },
  { kind: "timeout", limitMs: 150 },
  { kind: "timeout", phase: "connect" },
  { kind: "connection", code: "ECONNRESET", phase: "tls" },
  { kind: "cancelled" },
  { kind: "no_answer", given: 600 },
  { kind: "proxy_unreachable", code: "ECONNREFUSED" },
  { kind: "too_large", maxBytes: 10_000, ...answered },
  { kind: "timeout", limitMs: 150, ...answered },
  { kind: "connection", ...answered },
  { kind: "connection", code: "HPE_INVALID_CHUNK_SIZE", ...answered },
  { kind: "encoding", ...answered },
  { kind: "proxy_refused", given: 407 },
  { kind: "redirect", status: 302, target: "https://files.example.net/x", reason: "other_origin" },
  { kind: "redirect", status: 302, target: "https://sso.example.net/go", reason: "other_origin" },
  { kind: "redirect", status: 302, target: "https://a.example/login", reason: "outside_base_path" },
  { kind: "redirect", status: 302, target: "https://a.example/logins", reason: "other_origin" },
  {
    kind: "redirect",
    status: 303,
    target: "https://a.example/jobs/1",
    path: "/jobs/1",
    reason: "write",
  },
];

describe("the table of causes", () => {
  it("explains answers", async () => {
    const told: Record<string, unknown> = {};
    for (const [what, [status, given]] of Object.entries(answers))
      told[what] = await explain(status, given);
    expect(told).toMatchSnapshot();
  });

  const explainSent = (failure: object) =>
    explainFailure({ ...sent, ...failure } as SendFailure, "https://api.example.com/v1");

  it.each([
    ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", "without an intermediate certificate"],
    ["ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED", "requires a client certificate"],
    ["DEPTH_ZERO_SELF_SIGNED_CERT", "it is self-signed"],
  ])("tells the certificate that is missing by the code %s", (code, words) => {
    const failure = { kind: "connection", code, phase: "tls" };
    expect(explainSent(failure)).toMatchObject({
      category: "tls",
      message: expect.stringContaining(words),
    });
  });

  it("explains what brought no answer, or no whole one", () => {
    const told = failures.map((failure) => {
      const { category, retryable, message, hint } = explainSent(failure);
      return [category, retryable, message, hint];
    });
    expect(told).toMatchSnapshot();
    const { message, details } = explainSent({ attempts: 3 });
    expect(message).toMatch(/ \(3 attempts\)\.$/);
    expect(details).toEqual({ phase: "first_byte", attempts: 3 });
  });

  it("reports that a write may have been carried out, once its bytes were sent", () => {
    const write = { method: "POST", repeatable: false };
    for (const cause of [{ code: "ECONNRESET" }, { kind: "timeout", limitMs: 1 }]) {
      const { hint, retryable } = explainSent({ ...write, ...cause });
      expect(retryable).toBe(false);
      expect(hint).toMatch(/^The POST may have been carried out: check with a GET/);
      expect(hint).not.toMatch(/try again/i);
      const before = explainSent({ ...write, ...cause, phase: "connect" });
      expect(before.retryable).toBe(true);
      expect(before.hint).not.toContain("may have been carried out");
      const half = explainSent({ ...write, ...cause, ...answered });
      expect(half.retryable).toBe(false);
      expect(half.hint).not.toMatch(/try again/i);
      expect(half.hint).toMatch(
        /^The POST was received and answered with 200: check before sending it again/,
      );
    }
  });

  const answer = {
    category: "conflict" as const,
    retryable: false,
    message: "",
    codes: [],
    fields: [],
  };
  const subject = { source, credential, request: get };
  const ofAnswer = listAnswerFacts({
    ...subject,
    ...answer,
    status: 409,
    headers: {},
    body: emptyBody(),
  });
  const redirect = { kind: "redirect", status: 302, reason: "loop", method: "GET" } as const;
  it.each<[string, CauseTable, object]>([
    ["callers", callerCauses, ofAnswer],
    ["requests", requestCauses, ofAnswer],
    ["connections", connectionCauses, listFailureFacts(sent, "https://api.example.com")],
    ["redirects", redirectCauses, listRedirectFacts(redirect, subject)],
    ["preparations", preparationCauses, { ...listCredentialFacts(subject), hint: "" }],
  ])(
    "names only facts that are known of %s, and ends with a row for every other cause",
    (_what, table, facts) => {
      const known = [...Object.keys(facts), "message", "fix"];
      const rows = Object.values(table);
      const named = rows.flatMap(({ message, hint = "", fix, changes = [], when = {} }) => [
        ...[
          ...`${message}${hint}${fix}${JSON.stringify(changes)}`.matchAll(
            /\{([a-z]\w*)\}|\[(\w+)\?/g,
          ),
        ].map(([, name, asked]) => name ?? asked ?? ""),
        ...(when.known ?? []).map((name) => name.replace("!", "")),
      ]);
      expect(named.filter((name) => !known.includes(name))).toEqual([]);
      if (table !== callerCauses) expect(rows.at(-1)?.when).toBeUndefined();
    },
  );
});
