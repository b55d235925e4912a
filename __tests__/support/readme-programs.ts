/** How README's programs are run: what stands in for the model and for GitHub, and what they must print. */

import type { HttpServer } from "./http-server.js";

export interface ProgramCase {
  /** The scripted model's turns, as statements on `script`. */
  readonly script?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Parts of what the program must print, in order. */
  readonly prints: readonly string[];
  /** The `Authorization` that each request to the API must carry; undefined when none is sent. */
  readonly authorization?: string;
  readonly requests: readonly string[];
}

/** Why a program is compiled only. */
export const compiledOnly: Readonly<Record<string, string>> = {
  "processes.ts": "needs a Redis server; examples/two-processes-one-redis.ts has one",
  "authorize.ts": "needs a person who agrees; __tests__/features/oauth/consent.test.ts has one",
  "aws.ts": "needs an AWS account; __tests__/core/credentials/documented-signers.test.ts runs it",
  "hmac.ts": "needs an API that checks it; __tests__/core/credentials/documented-signers.test.ts has one",
  "mcp-server.ts": "waits for a client; __tests__/cli/mcp.long.test.ts has one",
};

const askForRepositories =
  '.respondWithTools([{ name: "github", args: { method: "GET", path: "/user/repos" }, id: "call_1" }])';
const openIssue =
  '.respondWithTools([{ name: "github", args: { method: "POST", path: "/repos/a/b/issues", body: "{}" }, id: "call_1" }])';
const openFirstIssue =
  'const [{ name }] = (await api.github.get("/user/repos")).data; return (await api.github.post(`/repos/a/${name}/issues`, { body: {} })).status;';
const quoteTool = ".respond((messages) => new AIMessage(messages.at(-1).text))";
const env = { GITHUB_TOKEN: "0-token-of-readme" };
const authorization = "Bearer 0-token-of-readme";

export const programCases: Readonly<Record<string, ProgramCase>> = {
  "first.ts": {
    prints: ['The tool answered: {"status":200,"data":{"url":"/today","weather":"sunny"}}'],
    requests: [],
  },
  "recipe.ts": { prints: ["[ 'github', 'read_api_response' ]"], requests: [] },
  "define.ts": { prints: ["[ 'weather', 'read_api_response' ]"], requests: [] },
  "offline.ts": {
    prints: ['{"status":200,"data":{"sunny":true}}', "https://api.weather.example/today Bearer 0-secret"],
    requests: [],
  },
  "recorded.ts": {
    prints: ['{"status":503,', '"category":"server_error"'],
    requests: [],
  },
  "one-line.ts": {
    env,
    prints: ['Call {"source":"github","method":"GET","path":"/user","status":200,'],
    authorization,
    requests: ["GET /user"],
  },
  "inspect.ts": {
    env,
    prints: ["Open http://127.0.0.1:"],
    authorization,
    requests: ["GET /user"],
  },
  "journal.ts": { env, prints: ['{"status":200'], authorization, requests: ["GET /user"] },
  "telemetry.ts": { env, prints: ["execute_tool github 200"], authorization, requests: ["GET /user"] },
  "audit.ts": {
    env,
    prints: [
      "before github GET /user\nafter github GET /user 200\n",
      'refused github DELETE /user/repos The method "DELETE" is not allowed.',
    ],
    authorization,
    requests: ["GET /user"],
  },
  "code.ts": {
    env,
    prints: ['{"data":', '"calls":{"used":1,"allowed":200,"sent":1,"failed":0,"requests":1,"waitedMs":0}}'],
    authorization,
    requests: ["GET /user/repos"],
  },
  "agent.ts": {
    script: `${askForRepositories}${quoteTool}`,
    env,
    prints: ['{"status":200,"data":[{"id":1,"name":"repository-1","open_issues_count":3'],
    authorization,
    requests: ["GET /user/repos"],
  },
  "summary.ts": {
    script: '.respond(new AIMessage("Sixty repositories."))',
    env,
    prints: ['{"status":200,"data":[{', '"shortened":{"id":"r_', '"summary":"Sixty repositories."}'],
    authorization,
    requests: ["GET /user/repos"],
  },
  "inside.ts": {
    script: `${openIssue}${quoteTool}`,
    env,
    prints: ["POST http://127.0.0.1:", "/repos/a/b/issues {}", '{"status":200'],
    authorization,
    requests: ["POST /repos/a/b/issues"],
  },
  "always.ts": {
    env,
    prints: [
      "asked about every later POST /repos/a/b/issues of GitHub in this conversation\ngithub POST /repos/a/b/issues\n",
    ],
    authorization,
    requests: ["POST /repos/a/b/issues", "POST /repos/a/b/issues"],
  },
  "in-code.ts": {
    script: `.respondWithTools([{ name: "run_api_code", args: { code: ${JSON.stringify(openFirstIssue)} }, id: "call_1" }])${quoteTool}`,
    env,
    prints: [
      '"method":"POST"',
      "/repos/a/repository-1/issues",
      '{"data":200,"calls":{"used":2,"allowed":200,"sent":2,',
    ],
    authorization,
    requests: ["GET /user/repos", "POST /repos/a/repository-1/issues"],
  },
  "outside.ts": {
    env,
    prints: ["POST http://127.0.0.1:", '/repos/a/b/issues {"title":"Broken link"}', "Not on a Friday."],
    requests: [],
  },
  "check.ts": {
    env,
    prints: ["ok   github: ok\n     GET http://127.0.0.1:", "the credential is right."],
    // The last one is the request without the credential.
    requests: ["GET /user", "GET /user"],
  },
  "per-user.ts": {
    script: `${askForRepositories}${quoteTool}`,
    prints: ['"name":"repository-1"'],
    authorization: "Bearer 0-token-of-user-2",
    requests: ["GET /user/repos"],
  },
  "client.ts": {
    env,
    prints: ["200 [", "{ name: 'repository-1', issues: 3 }"],
    authorization,
    requests: ["GET /user/repos?per_page=100"],
  },
};

/** The program with what stands in for the world: the local API, a scripted model, a port for the program's server. */
export function adapt(javaScript: string, api: HttpServer, freePort: number): string {
  return javaScript
    .replaceAll("https://api.github.com", api.url)
    .replaceAll("4621", String(freePort))
    .replaceAll('"openai:gpt-5-mini"', "globalThis.scriptedModel")
    .replaceAll("await initChatModel(globalThis.scriptedModel)", "globalThis.scriptedModel");
}

/** A module that is loaded before the program. */
export function writePreload(script: string): string {
  return [
    'import { AIMessage } from "@langchain/core/messages";',
    'import { fakeModel } from "langchain";',
    `globalThis.scriptedModel = fakeModel()${script};`,
    "void AIMessage;",
  ].join("\n");
}
