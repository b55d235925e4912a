/** A server that shows everything it received, and every secret it is told of, in every encoding and every kind of answer. */

import type { ServerResponse } from "node:http";
import { gzipSync } from "node:zlib";
import { type EncodedSecret, encodeEverywhere } from "./encode-everywhere.js";
import { type HttpServer, type ReceivedRequest, startHttpServer } from "./http-server.js";

interface Echo {
  readonly type: string;
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string | string[]>>;
  readonly body: string | Buffer;
}

type Write = (forms: readonly EncodedSecret[], received: ReceivedRequest) => Echo;

const markup = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;

const receivedText = (received: ReceivedRequest): string =>
  [received.url, ...received.rawHeaders, received.body].join("\n");

const json = (forms: readonly EncodedSecret[], received: ReceivedRequest, extra = {}): string =>
  JSON.stringify({
    received: {
      url: received.url,
      headers: received.headers,
      raw: received.rawHeaders,
      body: received.body,
    },
    rows: forms.map(({ name, text }, id) => ({ id, name, text })),
    nested: JSON.stringify(forms.filter(({ name }) => name === "raw")),
    ...Object.fromEntries(forms.map(({ text }, index) => [`${text}`, index])),
    ...extra,
  });

const says = (forms: readonly EncodedSecret[]): string =>
  `Invalid key ${forms.map(({ text }) => text).join(" and ")}.`;

const failing = (body: Record<string, unknown>, status = 400, type = "application/json"): Echo => ({
  type,
  status,
  body: JSON.stringify(body),
});

const isUniform = ({ name }: EncodedSecret): boolean => name !== "every third \\u";

/** By the path that asks for it. */
export const echoes: Readonly<Record<string, Write>> = {
  json: (forms, received) => ({ type: "application/json", body: json(forms, received) }),
  "json-under-text": (forms, received) => ({ type: "text/plain", body: json(forms, received) }),
  "json-in-utf16": (forms, received) => ({
    type: "application/json; charset=utf-16le",
    body: Buffer.from(json(forms, received), "utf16le"),
  }),
  "json-in-gzip": (forms, received) => ({
    type: "application/json",
    headers: { "Content-Encoding": "gzip" },
    body: gzipSync(json(forms, received)),
  }),
  "json-cut": (forms, received) => ({
    type: "application/json",
    body: json(forms, received).slice(0, -3),
  }),
  "json-doubled-keys": (forms) => ({
    type: "application/json",
    body: `{${forms.map(({ text }) => `"a":${JSON.stringify(text)}`).join(",")}}`,
  }),
  list: (forms) => ({
    type: "application/json",
    body: JSON.stringify(forms.map(({ text }) => text)),
  }),
  string: (forms) => ({
    type: "application/json",
    body: JSON.stringify(forms.map(({ text }) => text).join(" ")),
  }),
  ndjson: (forms) => ({
    type: "application/x-ndjson",
    body: forms.map((form) => `${JSON.stringify(form)}\n`).join(""),
  }),
  events: (forms) => ({
    type: "text/event-stream",
    body: forms.map((form) => `event: row\ndata: ${JSON.stringify(form)}\n\n`).join(""),
  }),
  text: (forms, received) => ({
    type: "text/plain; charset=utf-8",
    body: `${receivedText(received)}\n${forms.map(({ name, text }) => `${name}: ${text}`).join("\n")}`,
  }),
  html: (forms) => ({
    type: "text/html; charset=utf-8",
    body: `<!doctype html><title>${markup(forms[0]?.text ?? "")}</title><body>${forms
      .map(({ text }) => `<p title="${markup(text).replaceAll('"', "&quot;")}">${markup(text)}</p>`)
      .join("\n")}</body>`,
  }),
  xml: (forms) => ({
    type: "application/xml",
    body: `<?xml version="1.0" encoding="UTF-8"?><rows>${forms
      .map(
        ({ text }) => `<row key="${markup(text).replaceAll('"', "&quot;")}">${markup(text)}</row>`,
      )
      .join("")}<!-- ${markup(forms[0]?.text ?? "").replaceAll("--", "")} --></rows>`,
  }),
  csv: (forms) => ({
    type: "text/csv; charset=utf-8",
    body: `id,name,${quoted(forms[0]?.text ?? "")}\n${forms
      .map(({ name, text }, id) => `${id},${quoted(name)},${quoted(text)}`)
      .join("\n")}\n`,
  }),
  form: (forms) => ({
    type: "application/x-www-form-urlencoded",
    body: forms.map(({ text }) => `t=${encodeURIComponent(text)}`).join("&"),
  }),
  // Bytes are no text: where a character is spelled and the next is UTF-8, the secret is not found in them.
  binary: (forms) => ({
    type: "application/octet-stream",
    body: Buffer.concat([
      Buffer.from([0, 1, 2, 255]),
      ...forms.filter(isUniform).map(({ text }) => Buffer.from(`${text}\0`, "utf8")),
    ]),
  }),
  image: (forms) => ({
    type: "image/png",
    body: Buffer.concat([
      Buffer.from("89504e470d0a1a0a", "hex"),
      ...forms.filter(isUniform).map(({ text }) => Buffer.from(`${text}\0\0`, "utf8")),
    ]),
  }),
  next: (forms, received) => ({
    type: "application/json",
    headers: {
      Link: `<${linkTo(received, forms)}>; rel="next"`,
    },
    body: json(forms, received, {
      next: linkTo(received, forms),
      links: { next: { href: linkTo(received, forms) } },
      next_cursor: forms[0]?.text,
    }),
  }),
  "next-in-header": (forms, received) => ({
    type: "application/json",
    headers: { Link: `<${linkTo(received, forms)}>; rel="next"` },
    body: "[1]",
  }),
  "ok-false": (forms) => failing({ ok: false, error: says(forms) }, 200),
  "graphql-errors": (forms) =>
    failing({ data: null, errors: [{ message: says(forms), path: [forms[0]?.text] }] }, 200),
  problem: (forms) =>
    failing(
      {
        type: `https://api.example/${encodeURIComponent(forms[0]?.text ?? "")}`,
        title: says(forms),
        status: 403,
        detail: says(forms),
        instance: forms[0]?.text,
      },
      403,
      "application/problem+json",
    ),
  "error-message": (forms) =>
    failing({ error: { message: says(forms), code: forms[0]?.text, type: "auth" } }, 401),
  "error-text": (forms) => failing({ error: says(forms), error_description: says(forms) }, 401),
  "errors-list": (forms) =>
    failing(
      { errors: forms.map(({ text, name }) => ({ field: text, message: `${name}: ${text}` })) },
      422,
    ),
  "errors-map": (forms) =>
    failing({ errors: Object.fromEntries(forms.map(({ text }) => [text, [text]])) }, 422),
  message: (forms) => failing({ message: says(forms), documentation_url: forms[0]?.text }, 404),
  fault: (forms) => ({
    type: "text/xml",
    status: 500,
    body: `<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body><s:Fault><faultcode>s:Client</faultcode><faultstring>${markup(says(forms))}</faultstring></s:Fault></s:Body></s:Envelope>`,
  }),
  "html-error": (forms) => ({
    type: "text/html",
    status: 403,
    body: `<html><title>${markup(says(forms))}</title><h1>${markup(says(forms))}</h1></html>`,
  }),
  "text-error": (forms) => ({ type: "text/plain", status: 400, body: says(forms) }),
  "empty-error": (forms) => ({
    type: "text/plain",
    status: 401,
    headers: tellingHeaders(forms),
    body: "",
  }),
  headers: (forms) => ({
    type: "application/json",
    headers: tellingHeaders(forms),
    body: '{"a":1}',
  }),
  limited: (forms) => ({
    type: "application/json",
    status: 400,
    headers: tellingHeaders(forms),
    body: JSON.stringify({ message: `rate limit: ${says(forms)}` }),
  }),
  ...Object.fromEntries(
    ["away", "outside", "malformed", "user", "loop"].map((kind) => [
      `redirect-${kind}`,
      (forms: readonly EncodedSecret[], received: ReceivedRequest) => ({
        type: "text/html",
        status: 302,
        headers: { Location: redirectTo(kind, received, forms) },
        body: `<a href="${markup(redirectTo(kind, received, forms))}">moved</a>`,
      }),
    ]),
  ),
};

function linkTo(received: ReceivedRequest, forms: readonly EncodedSecret[]): string {
  const secret = encodeURIComponent(forms[0]?.text ?? "");
  const { search } = new URL(received.url, "http://local");
  return `http://${received.headers.host}/v1/json${search}${search === "" ? "?" : "&"}page=2&cursor=${secret}&api_key=${secret}`;
}

function redirectTo(
  kind: string,
  received: ReceivedRequest,
  forms: readonly EncodedSecret[],
): string {
  const secret = encodeURIComponent(forms[0]?.text ?? "");
  const origin = `http://${received.headers.host}`;
  if (kind === "away") return `http://127.0.0.1:9/${secret}?token=${secret}#${secret}`;
  if (kind === "outside")
    return `${origin}/login/${secret}?next=${encodeURIComponent(received.url)}`;
  if (kind === "malformed") return `${origin}/v1/%zz${secret}`;
  if (kind === "user") return `http://${secret}:${secret}@${received.headers.host}/v1/x`;
  return `${origin}${received.url}`;
}

/** Header values are sent as bytes: UTF-8, written as Node takes it. */
function tellingHeaders(forms: readonly EncodedSecret[]): Record<string, string | string[]> {
  const fit = forms
    .map(({ text }) => Buffer.from(text, "utf8").toString("latin1"))
    .filter((text) => !/\p{Cc}/u.test(text.replace(/[\u0080-\u009f]/g, "")));
  const secret = fit[0] ?? "";
  const inQuotes = secret.replaceAll("\\", "\\\\").replaceAll('"', '\\"');
  return {
    "WWW-Authenticate": `Bearer realm="${inQuotes}", error="invalid_token", error_description="The token ${inQuotes} is wrong"`,
    "Retry-After": `after ${secret}`,
    "RateLimit-Policy": `"${inQuotes}";q=10;w=60`,
    RateLimit: `"${inQuotes}";r=1;t=30`,
    "X-RateLimit-Limit": `10, 10;w=1;comment="${inQuotes}"`,
    "X-RateLimit-Remaining": "1",
    "X-RateLimit-Reset": "30",
    "X-RateLimit-Policy": secret,
    "X-Error-Message": `No: ${secret}`,
    "X-Error": secret,
    "X-Ms-Error-Code": secret,
    "X-Amzn-ErrorType": secret,
    "Grpc-Message": secret,
    "Set-Cookie": fit.slice(0, 5).map((text) => `session=${text}; Path=/`),
    "X-Echo": fit.slice(0, 40),
    Server: secret,
  };
}

export interface EchoApi extends HttpServer {
  /** What is echoed besides what comes in; set before a call. */
  secrets: readonly string[];
}

/** Starts it: `/v1/<name of an echo>?form=<number of an encoding>`; without `form` all encodings come at once. */
export async function startEchoApi(): Promise<EchoApi> {
  const server = await startHttpServer((received, response) =>
    answer(api.secrets, received, response),
  );
  const api: EchoApi = Object.assign(server, { secrets: [] });
  return api;
}

function answer(
  secrets: readonly string[],
  received: ReceivedRequest,
  response: ServerResponse,
): void {
  const url = new URL(received.url, "http://local");
  const write = echoes[url.pathname.split("/").at(-1) ?? ""] ?? echoes["json"];
  const all = secrets.flatMap((secret) => encodeEverywhere(secret));
  const only = url.searchParams.get("form");
  const forms = only === null ? all : all.filter((_, index) => index === Number(only));
  const { type, status = 200, headers = {}, body } = (write as Write)(forms, received);
  response.writeHead(status, { "Content-Type": type, ...headers });
  response.end(body);
}
