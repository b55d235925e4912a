/** One toolkit with a source per authType, whose every secret is a canary, and ears at each of its exits. */

import { format, inspect } from "node:util";
import {
  type ApiSourceRecord,
  ApiSourceToolkit,
  type AuthType,
  type ClientOptions,
  type Logger,
  projectionSummarizer,
} from "langchain-api-sources";
import type { RuntimeStore } from "../../src/core/base/runtime.js";
import { createCanaryFinder } from "./find-canary.js";
import { asRecord } from "./unchecked.js";

/** None is real. Visible ASCII where a header carries it, anything elsewhere. */
export const canaries = {
  bearer: "Zq\"7/xK+v9=='Wp<&>uR$3\\tB",
  header: "h7/Q+x=Z&k\"9wVtB2mLp'<q>",
  query: 'k é&=+%41/日本"QzX9vM2#?',
  password: 'pÄ"q/8+Z=日本xKw7vR',
  second: 's2/Gd+Yw=L&m"4XcN8$&Hb',
  third: 't3é&=+%2F日本Jf6Tz"rK',
} as const;

export const authTypes: readonly AuthType[] = ["bearer", "header", "query", "basic"];

export function toRecord(authType: AuthType, baseUrl: string): ApiSourceRecord {
  return asRecord({
    name: authType,
    api: {
      baseUrl,
      authType,
      ...(authType === "header" ? { headerName: "X-Api-Key" } : {}),
      ...(authType === "query" ? { queryParam: "api_key" } : {}),
      headers: { "X-Second": "app ${SECOND}" },
      query: { third: "${THIRD}" },
      limits: { retries: 0, maxTokens: 400 },
    },
  });
}

export const credentials = {
  bearer: { token: canaries.bearer },
  header: { apiKey: canaries.header },
  query: { token: canaries.query },
  basic: { username: "somebody", password: canaries.password },
} as const;

/** Finds any canary, and what basic makes of its own. */
export const canaryFinder: ReturnType<typeof createCanaryFinder> = createCanaryFinder([
  ...Object.values(canaries),
  `somebody:${canaries.password}`,
  Buffer.from(`somebody:${canaries.password}`).toString("base64"),
]);

/** @param exits - Those that must have been heard. */
export function expectNoCanary(
  { heard }: Ears,
  finder = canaryFinder,
  exits: readonly string[] = [],
): void {
  const texts = new Map(heard.map(({ exit, text }) => [text, exit]));
  for (const [text, exit] of texts) {
    const found = finder.find(text);
    if (found !== undefined) throw new Error(`${exit}: ${found}`);
  }
  const missed = exits.filter((each) => !heard.some(({ exit }) => exit === each));
  if (texts.size === 0 || missed.length > 0)
    throw new Error(`Nothing was heard at ${missed.join(", ")}.`);
}

/** Where the code under test wrote to, each as one text. */
export interface Ears {
  readonly heard: { readonly exit: string; readonly text: string }[];
  hear(exit: string, value: unknown): void;
  readonly options: ClientOptions;
}

/** A logger, a store and a summarizer that remember all that reaches them. */
export function openEars(): Ears {
  const heard: { exit: string; text: string }[] = [];
  const hear = (exit: string, value: unknown): void => {
    heard.push({ exit, text: renderExit(value) });
  };
  return {
    heard,
    hear,
    options: {
      logger: listeningLogger(hear),
      responseStore: listeningStore(hear),
      summarizer: {
        summarize(input) {
          hear("summarizer", { ...input, document: input.document });
          return projectionSummarizer().summarize(input);
        },
      },
    },
  };
}

function listeningLogger(hear: Ears["hear"]): Logger {
  const at =
    (level: string): Logger["info"] =>
    (...parts) =>
      hear(`logger.${level}`, parts);
  return { debug: at("debug"), info: at("info"), warn: at("warn"), error: at("error") };
}

function listeningStore(hear: Ears["hear"]): RuntimeStore {
  const kept = new Map<string, { value: Record<string, unknown> }>();
  const keyOf = (namespace: string[], key: string): string => JSON.stringify([namespace, key]);
  return {
    async get(namespace, key) {
      return kept.get(keyOf(namespace, key));
    },
    async put(namespace, key, value) {
      // The bytes of a file are kept as they were received: only what is shown of them is redacted.
      const { content: _bytes, ...shown } = value;
      hear("store", [namespace, key, shown]);
      kept.set(keyOf(namespace, key), { value });
    },
    async delete(namespace, key) {
      kept.delete(keyOf(namespace, key));
    },
  };
}

export async function makeCanaryToolkit(baseUrl: string, ears: Ears): Promise<ApiSourceToolkit> {
  return ApiSourceToolkit.fromSources(
    authTypes.map((authType) => toRecord(authType, baseUrl)),
    { ...ears.options, credentials, secrets: { SECOND: canaries.second, THIRD: canaries.third } },
  );
}

/** Everything that printing a value in any usual way would show; bytes are read as Latin-1 too. */
function renderExit(value: unknown): string {
  const texts = [
    inspect(value, { depth: 20, showHidden: true, maxStringLength: null }),
    format("%s", value),
  ];
  if (typeof value === "string") texts.push(value);
  if (value instanceof Uint8Array) texts.push(Buffer.from(value).toString("latin1"));
  if (value instanceof Error) texts.push(String(value), value.stack ?? "", inspect(value.cause));
  try {
    texts.push(JSON.stringify(value, null, 1) ?? "");
  } catch {
    // What refers to itself has no JSON.
  }
  return texts.join("\n");
}
