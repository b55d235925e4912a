/** One source of a test connection: a record, its environment, and the server behind it. */

import { type ClientOptions, type ConnectionReport, testConnection } from "langchain-api-sources";
import type { ApiSettingsRecord } from "../../src/core/record/api-source.js";
import { answerWith, type RawServer, type RecordedRequest, startRawServer } from "./raw-server.js";

export const goodToken = "sk-canary-4f9a1c7be20d";

/** What a server does with one request. */
export type Answer =
  | {
      readonly status?: number;
      readonly body?: string | object;
      readonly headers?: Readonly<Record<string, string>>;
    }
  | ((request: RecordedRequest, socket: Parameters<typeof answerWith>[0]) => void);

export interface BrokenSource {
  readonly api?: Partial<ApiSettingsRecord>;
  /** Appended to the server's address. */
  readonly basePath?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly options?: ClientOptions;
}

/** Tests a bearer source whose server gives the same answer to every request. */
export async function testAgainst(answer: Answer, broken: BrokenSource = {}): Promise<ConnectionReport> {
  const { report } = await recordAgainst(answer, broken);
  return report;
}

export async function recordAgainst(
  answer: Answer,
  { api = {}, basePath = "", env = { SHOP_TOKEN: goodToken }, options = {} }: BrokenSource = {},
): Promise<{ report: ConnectionReport; server: RawServer }> {
  const server = await startRawServer((request, socket) => give(answer, request, socket));
  try {
    const settings: ApiSettingsRecord = {
      baseUrl: `${server.url}${basePath}`,
      testEndpoint: "/user",
      authType: "bearer",
      ...api,
    };
    const report = await testConnection({ name: "Shop", api: settings }, options, {
      readEnvironment: (name) => env[name],
    });
    return { report, server };
  } finally {
    await server.close();
  }
}

/** Writes the answer; an object is sent as JSON. */
export function give(
  answer: Answer,
  request: RecordedRequest,
  socket: Parameters<typeof answerWith>[0],
): void {
  if (typeof answer === "function") {
    answer(request, socket);
    return;
  }
  const { status = 200, body = "", headers = {} } = answer;
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const type =
    typeof body === "string" ? (/^\s*</.test(body) ? "text/html" : "text/plain") : "application/json";
  answerWith(socket, status, text, { "Content-Type": type, ...headers });
}

/** Answers those who send this header, and refuses the others. */
export function guarded(
  header: string,
  value: string,
  refusal: Answer = { status: 401, body: { message: "Bad credentials" } },
  body: string | object = { login: "someone" },
): Answer {
  return (request, socket) => give(request.headers[header] === value ? { body } : refusal, request, socket);
}
