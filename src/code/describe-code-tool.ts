/** The description of `run_api_code`: what a model reads before it writes code. */

import type { ApiSource } from "../source/api-source.js";
import { clipText } from "../text.js";
import type { Writes } from "./code-calls.js";

/** OpenAI and others refused longer descriptions. */
const maxCharacters = 1_023;

export interface DescribedLimits {
  readonly timeoutMs: number;
  readonly cpuMs: number;
  readonly memoryBytes: number;
  readonly maxCalls: number;
  readonly concurrency: number;
}

const writeRules: Readonly<Record<Writes, string>> = {
  refuse: "Only GET is sent.",
  approve: "A write waits for a person.",
  allow: "",
};

/** The signature, an example, the limits, and as many sources as fit. */
export function describeCodeTool(
  sources: readonly ApiSource[],
  limits: DescribedLimits,
  writes: Writes,
): string {
  const { timeoutMs, cpuMs, memoryBytes, maxCalls, concurrency } = limits;
  const others = writes === "refuse" ? "" : " also post, put, patch, delete, with body;";
  const before = [
    "Runs JavaScript (the body of an async function) over these APIs, in a sandbox; what it returns is the answer. Best for joining, counting, grouping, many calls.",
  ];
  const after = [
    `await api.<source>.get(path, { query, headers, pages });${others} gives { ok, status, data, headers, error, total, pages, next }. data is whole; pages: 20 follows up to 20 pages; a failed call does not throw: look at ok. kept(id): a kept response. state: an object that lasts from run to run. console.log goes into log.`,
    ...(sources.some(({ api }) => api.openapi !== undefined)
      ? ["api.<source>.describe(), ({ path, method }) or ({ find }) tells its endpoints."]
      : []),
    ...writeExample(sources),
    `GETs may run in parallel (Promise.all). ${writeRules[writes]} Limits: ${timeoutMs / 1_000} s (${cpuMs / 1_000} s of computing), ${maxCalls} calls, ${concurrency} at a time, ${Math.round(memoryBytes / 1_000_000)} MB.`.replace(
      "  ",
      " ",
    ),
  ];
  const room = maxCharacters - [...before, ...after].join("\n").length - 1;
  return clipEnd([...before, listSources(sources, room), ...after].join("\n"));
}

/** With their taglines where they fit, else their names alone. */
function listSources(sources: readonly ApiSource[], room: number): string {
  for (const length of [160, 80, 40]) {
    const lines = sources.map(
      ({ slug, name, tagline }) => `${writeApi(slug)}: ${clipText(tagline || name, length)}`,
    );
    const text = lines.join("\n");
    if (text.length <= room) return text;
  }
  return clipText(`Sources: ${sources.map(({ slug }) => slug).join(", ")}`, room);
}

/** With one source, its first endpoint. */
function writeExample(sources: readonly ApiSource[]): string[] {
  const [source, ...others] = sources;
  if (source === undefined) return [];
  const endpoint =
    others.length === 0 ? source.api.endpoints.find(({ method }) => method === "GET") : undefined;
  const { path, query } = endpoint ?? { path: "/orders", query: { status: "open" } };
  const options = { ...(query === undefined ? {} : { query }) };
  const inner = JSON.stringify(options).slice(1, -1);
  return [
    `Example: const { data } = await ${writeApi(source.slug)}.get(${JSON.stringify(clipText(path, 80))}, { ${inner.length > 80 || inner === "" ? "" : `${inner}, `}pages: 20 });`,
    endpoint === undefined ? "return data.items.filter((each) => each.total > 100).length;" : "return data;",
  ];
}

function writeApi(slug: string): string {
  return /^\w+$/.test(slug) ? `api.${slug}` : `api["${slug}"]`;
}

function clipEnd(text: string): string {
  return text.length <= maxCharacters ? text : `${text.slice(0, maxCharacters - 1).toWellFormed()}…`;
}
