/** Measures a whole call: from the bytes on the wire to the final content, over the bare transfer, against `JSON.parse` of the same text. */

import { Agent, createServer, get } from "node:http";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

export const credential = "sk_test_Zk29+Lq/81xvB7-uTe";
/** Rounds before the first that counts: a compiler that has not seen the code yet is not what is measured. */
const warmUps = 20;
const warmUpsOfLarge = 5;
/** Calls that are watched for how long they keep others waiting. */
const blockRounds = 7;
const headers = { "content-type": "application/json" };

/** Answers `/<index>` with that body. */
export async function startServer(bodies) {
  const server = createServer((request, response) => {
    const body = bodies[Number(request.url.slice(1))];
    response.writeHead(200, { ...headers, "content-length": body.length });
    response.end(body);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { server, baseUrl: `http://127.0.0.1:${server.address().port}` };
}

/** A client of the built package with a credential to redact; it may read as much as the largest body has. */
export async function openClient(dist, baseUrl) {
  const { createSourceClient } = await import(pathToFileURL(join(dist, "index.js")).href);
  return createSourceClient(
    {
      name: "Bench",
      api: {
        baseUrl,
        authType: "bearer",
        network: { allowLocalAddresses: true },
        limits: { maxBytes: 50_000_000, timeoutMs: 60_000 },
      },
    },
    { credentials: { bench: { token: credential } } },
  );
}

/** The bytes of a body into one buffer, with nothing else: what any client has to do. */
function transfer(url, agent) {
  return new Promise((resolve, reject) => {
    get(url, { agent, headers: { authorization: `Bearer ${credential}` } }, (response) => {
      const chunks = [];
      response.on("data", (chunk) => chunks.push(chunk));
      response.on("end", () => resolve(Buffer.concat(chunks)));
      response.on("error", reject);
    }).on("error", reject);
  });
}

/** The longest time between two turns of the event loop while this runs, in ms. */
export async function longestBlock(run) {
  let longest = 0;
  let last = performance.now();
  let isOver = false;
  const turn = () => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
    if (!isOver) setImmediate(turn);
  };
  setImmediate(turn);
  await new Promise((resolve) => setImmediate(resolve));
  await run();
  await new Promise((resolve) => setImmediate(resolve));
  isOver = true;
  return longest;
}

async function time(run) {
  const start = performance.now();
  const result = await run();
  return { ms: performance.now() - start, result };
}

export function median(values) {
  return values.toSorted((left, right) => left - right)[values.length >> 1];
}

async function measureBody({ name, bytes }, client, { url, path, agent }) {
  const text = bytes.toString();
  const native = [];
  const bare = [];
  const whole = [];
  const calls = [];
  const isLarge = bytes.length > 4e6;
  const skipped = isLarge ? warmUpsOfLarge : warmUps;
  const rounds = isLarge ? 11 : 41;
  for (let round = 0; round < rounds + skipped; round += 1) {
    const parse = await time(() => JSON.parse(text));
    const carried = await time(() => transfer(url, agent));
    const called = await time(() => client.call({ method: "GET", path }));
    if (!called.result.ok) throw new Error(`The call for ${name} failed: ${called.result.content}`);
    if (round < skipped) continue;
    native.push(parse.ms);
    bare.push(carried.ms);
    whole.push(called.ms - carried.ms);
    calls.push(called.ms);
  }
  const blocks = [];
  for (let round = 0; round < blockRounds; round += 1)
    blocks.push(await longestBlock(() => client.call({ method: "GET", path })));
  const [parseMs, transferMs, wholeMs, blockMs] = [native, bare, whole, blocks].map(median);
  return {
    name,
    megabytes: bytes.length / 1e6,
    parseMs,
    transferMs,
    wholeMs,
    ratio: wholeMs / parseMs,
    leastRatio: (Math.min(...calls) - Math.min(...bare)) / Math.min(...native),
    blockMs,
    blockRatio: blockMs / parseMs,
    leastBlockRatio: Math.min(...blocks) / Math.min(...native),
  };
}

/**
 * Takes the folder of the built ES modules and bodies `{ name, load() }`. Returns one row per body: milliseconds of `JSON.parse`, of the bare
 * transfer, of the call beyond that transfer, and of the longest time that a call keeps others waiting; the ratios of the last two to `JSON.parse`. Medians of runs in turn; `leastRatio` is of the least of each, which other work on the machine disturbs less.
 */
export async function benchPipeline({ dist, bodies }) {
  const all = bodies.map(({ load }) => load());
  const { server, baseUrl } = await startServer(all);
  const agent = new Agent({ keepAlive: true });
  const client = await openClient(dist, baseUrl);
  const rows = [];
  try {
    for (const [index, body] of bodies.entries()) {
      rows.push(
        await measureBody({ name: body.name, bytes: all[index] }, client, {
          url: `${baseUrl}/${index}`,
          path: `/${index}`,
          agent,
        }),
      );
    }
  } finally {
    agent.destroy();
    server.closeAllConnections();
    server.close();
  }
  return rows;
}
