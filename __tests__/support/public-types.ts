/** What callers write with the public surface: compiled by `npm run typecheck`, which fails when a type of it changes. */

import * as surface from "../../src/index.js";

type IsOption<Name extends string> = Name extends keyof surface.ClientOptions ? true : false;
type IsCredential<Value> = Value extends surface.Credential ? true : false;

/** A misspelt option and a credential of no kind don't compile. */
export const refusals: [IsOption<"credential">, IsOption<"store">, IsCredential<{ key: string }>] = [
  false,
  false,
  false,
];

/** Compiled and never called: what callers write by design section 10 must keep its types. */
export async function compileOnly(context: surface.CallContext): Promise<void> {
  const { ApiSourceToolkit, createSourceClient, testConnection } = surface;
  const options: surface.ClientOptions = {
    credentials: { one: { token: "t" }, two: { apiKey: "k" }, three: { username: "u", password: "p" } },
    secrets: { NAME: "value" },
    readApiResponse: true,
    responseStore: "runtime",
    responseScope: ({ threadId, configurable, context: own }) => [
      String(threadId),
      typeof configurable,
      typeof own,
    ],
    countTokens: (text) => text.length,
    summarizer: surface.projectionSummarizer(),
    maxTokens: 5_000,
    redis: {},
    logger: console,
    clock: { now: () => 0 },
  };
  const asFunction: surface.CredentialsOption = async (source, { signal }) =>
    signal?.aborted || source.slug === "" ? undefined : { token: "t" };
  const asProvider: surface.CredentialProvider = { getCredential: async () => ({ apiKey: "k" }) };
  const secrets: surface.SecretsOption = async (name, source, given) =>
    given.context === undefined ? undefined : `${name}${source.name}`;
  const toolkit: surface.ApiSourceToolkit = await ApiSourceToolkit.fromSources([], options);
  await ApiSourceToolkit.fromFile("a.json", { credentials: asFunction, secrets });
  await ApiSourceToolkit.fromDirectory("sources", { credentials: asProvider });
  const reports: surface.ConnectionReport[] = await toolkit.testConnections({ concurrency: 4 });
  reports.push(await testConnection({}, options));
  const value: unknown = await toolkit.readResponse("r_1", { select: "a", threadId: "t" });
  const client: surface.SourceClient = createSourceClient({}, options);
  const request: surface.CallRequest = { method: "GET", path: "/", query: { a: 1 }, select: "a" };
  const { ok, content, artifact }: surface.Outcome = await client.call(request, context);
  const tool: surface.ApiSourceTool = surface.createApiSourceTool({}, options);
  const reader: surface.ReadApiResponseTool = surface.createReadApiResponseTool({
    responseStore: surface.createMemoryStore(),
  });
  const text: unknown = await tool.invoke({
    method: "GET",
    path: "/",
    query: [{ name: "a", value: "1" }],
    body: null,
  });
  const source: surface.ApiSource = surface.parseSource({});
  const names: string[] = surface.loadEnvFile();
  void [ok, content, artifact.status, reader.name, text, source.slug, names, value];
}
