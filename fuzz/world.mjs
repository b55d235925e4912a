// What every door meets: a server that echoes, and a canary that must not come out.

import { createServer } from "node:http";
import { inspect } from "node:util";

const canary = "cAn4ry-Zq7xK2vB9wR5tL8mH3nJ6";

/** Starts a server that answers with what it received, in several kinds, whole and truncated, and with redirects that lead away. */
export async function startHostileApi() {
  const urls = [];
  const server = createServer((request, response) => {
    urls.push(request.url);
    const chunks = [];
    request.on("data", (chunk) => chunks.push(chunk));
    request.on("end", () => answer(request, Buffer.concat(chunks).toString(), response));
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address();
  return { urls, port, canary, origin: `http://127.0.0.1:${port}`, baseUrl: `http://127.0.0.1:${port}/base` };
}

function answer({ url, headers, method }, body, response) {
  const echo = { url, method, headers, body, secret: canary, base64: Buffer.from(canary).toString("base64") };
  const text = JSON.stringify(echo);
  const bytes = Number(/bytes=(\d{1,8})/.exec(url)?.[1] ?? 0);
  const kind = [...url].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 997, 7) % 9;
  if (bytes > 0)
    return send(response, "application/json", `[${'"row",'.repeat(Math.min(bytes, 9_000_000) / 6)}0]`);
  if (url.includes("refuse=1")) return send(response, "application/json", text, 422);
  if (kind === 0) return redirect(response, "http://127.0.0.1:9/away");
  if (kind === 1) return redirect(response, "/outside");
  if (kind === 2) return send(response, "text/plain", `${"x".repeat(3_000)}${text}`);
  if (kind === 3) return send(response, "text/html", `<html><body><p>${text}</p></body></html>`);
  if (kind === 4) return send(response, "application/octet-stream", `\0\u0001${text}`);
  if (kind === 5) {
    response.writeHead(200, { "Content-Type": "application/json", "Content-Length": text.length + 900 });
    response.write(`${" ".repeat(800)}${text}`.slice(0, 800 + text.length - 7));
    return setImmediate(() => response.destroy());
  }
  if (kind === 6)
    return send(response, "application/json", JSON.stringify([echo, { next: `${url}&page=2` }]), 401);
  return send(response, "application/json", text);
}

function send(response, type, body, status = 200) {
  response.writeHead(status, { "Content-Type": type, "X-Echo": canary });
  response.end(body);
}

function redirect(response, location) {
  response.writeHead(302, { Location: location });
  response.end();
}

/** Eight characters of the canary in a row, as they are or in an encoding; undefined where there are none. */
export function findCanary(value, secret) {
  const text =
    typeof value === "string"
      ? value
      : inspect(value, { depth: 12, maxStringLength: null, maxArrayLength: 2_000 });
  const windows = Array.from({ length: secret.length - 7 }, (_, at) => secret.slice(at, at + 8));
  const unescaped = text.replace(/%[0-9a-f]{2}/gi, (one) =>
    String.fromCharCode(Number.parseInt(one.slice(1), 16)),
  );
  const runs = text.match(/[A-Za-z0-9+/_-]{24,}/g) ?? [];
  const decoded = runs
    .slice(0, 500)
    .flatMap((run) =>
      [0, 1, 2, 3].map((skip) => Buffer.from(run.slice(skip, skip + 4_000), "base64").toString("latin1")),
    );
  const hex = Buffer.from(secret).toString("hex").slice(4, 24);
  for (const each of [text, unescaped, ...decoded]) {
    const found = windows.find((window) => each.includes(window));
    if (found !== undefined)
      return each.slice(Math.max(0, each.indexOf(found) - 60), each.indexOf(found) + 60);
  }
  return text.toLowerCase().includes(hex) ? hex : undefined;
}

/** Words that a hostile caller writes into paths, names and texts. */
export const nasty = [
  ..."/ // /.. /../ /..;/ /%2e%2e/ /%252e%252e/ /\\.. \\ /. /... ? # & = %00 %0a @ : http://127.0.0.1:9/ //127.0.0.1:9/ a b 7 {id} ${SHOP_TOKEN} __proto__ constructor".split(
    " ",
  ),
  ..."\u202e \u200b \ud800 \ufeff \u0000 \r\n é 漢 😀".split(" "),
  "x".repeat(3_000),
];

export const textOf = (fc) =>
  fc.oneof(
    fc.array(fc.constantFrom(...nasty), { maxLength: 6 }).map((parts) => parts.join("")),
    fc.string({ maxLength: 40 }),
  );
