// Measures what a new connection costs a write, and whether a write on a used one can be lost: `node bench/connections.mjs`.

import http, { createServer } from "node:http";
import https from "node:https";
import net from "node:net";
import { performance } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import forge from "node-forge";
import { median } from "./pipeline.mjs";

const writes = 300;
/** The way from the client to the server takes so long, and the way back. */
const oneWayMs = 10;
/** A write follows the one before within so many milliseconds, far below a second. */
const longestPauseMs = 40;

function makeCertificate() {
  const { privateKey, publicKey } = forge.pki.rsa.generateKeyPair(2048);
  const certificate = forge.pki.createCertificate();
  certificate.publicKey = publicKey;
  certificate.serialNumber = "01";
  certificate.validity.notBefore = new Date(Date.now() - 86_400_000);
  certificate.validity.notAfter = new Date(Date.now() + 86_400_000);
  const name = [{ name: "commonName", value: "localhost" }];
  certificate.setSubject(name);
  certificate.setIssuer(name);
  certificate.setExtensions([
    { name: "basicConstraints", cA: true },
    { name: "subjectAltName", altNames: [{ type: 2, value: "localhost" }] },
  ]);
  certificate.sign(privateKey, forge.md.sha256.create());
  const cert = forge.pki.certificateToPem(certificate);
  return { cert, key: forge.pki.privateKeyToPem(privateKey) };
}

const listen = (server) =>
  new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(server.address().port)));

/** A line of some length: bytes, and the end of a side, arrive later and in their order; a reset breaks both sides. */
function startLine(port, delayMs) {
  const open = new Set();
  const server = net.createServer({ allowHalfOpen: true }, (near) => {
    const far = net.connect({ port, host: "127.0.0.1", allowHalfOpen: true });
    for (const [from, to] of [
      [near, far],
      [far, near],
    ]) {
      open.add(from);
      from.setNoDelay(true);
      from.on("data", (bytes) => setTimeout(() => to.write(bytes), delayMs));
      from.on("end", () => setTimeout(() => to.end(), delayMs));
      from.on("error", () => setTimeout(() => to.resetAndDestroy(), delayMs));
      from.on("close", () => open.delete(from));
    }
  });
  const close = () => {
    for (const socket of open) socket.destroy();
    server.close();
  };
  return listen(server).then((at) => ({ port: at, close }));
}

/** Sends one write. Gives what the client can see of it, and how long it took. */
function write({ module, agent, port, id, ca }) {
  const startedMs = performance.now();
  return new Promise((resolve) => {
    const request = module.request({
      host: "127.0.0.1",
      servername: "localhost",
      port,
      agent,
      ca,
      method: "POST",
      path: `/${id}`,
      headers: { "content-length": 2 },
    });
    const see = (seen) => resolve({ seen, id, ms: performance.now() - startedMs });
    request.on("response", (response) => {
      response.resume();
      response.on("end", () => see("answer"));
    });
    request.on("error", ({ code }) => see(code ?? "error"));
    request.end("{}");
  });
}

/** The servers: each announces `Connection: keep-alive` and `Keep-Alive: timeout=5`. */
const servers = {
  "keeps its connections": { handle: (_request, response) => response.end("{}") },
  "closes each soon after its answer": {
    handle(request, response) {
      response.end("{}");
      setTimeout(() => request.socket.end(), Math.random() * longestPauseMs);
    },
  },
  "ends idle ones every 30 ms, as a restart does": {
    handle: (_request, response) => response.end("{}"),
    everyMs: 30,
  },
  "carries out, and resets one in ten": {
    handle(request, response) {
      if (Math.random() < 0.1) request.socket.resetAndDestroy();
      else response.end("{}");
    },
  },
};

async function countLost({ handle, everyMs }, keepAlive) {
  const carriedOut = new Map();
  const server = createServer((request, response) => {
    const id = request.url.slice(1);
    carriedOut.set(id, (carriedOut.get(id) ?? 0) + 1);
    handle(request, response);
  });
  const line = await startLine(await listen(server), oneWayMs);
  const timer = everyMs && setInterval(() => server.closeIdleConnections(), everyMs);
  const agent = new http.Agent({ keepAlive });
  const done = [];
  for (let id = 0; id < writes; id += 1) {
    done.push(await write({ module: http, agent, port: line.port, id: String(id) }));
    await sleep(Math.random() * longestPauseMs);
  }
  clearInterval(timer);
  agent.destroy();
  line.close();
  server.closeAllConnections();
  server.close();
  const failed = done.filter(({ seen }) => seen !== "answer");
  const [did, not] = [true, false].map((isDone) =>
    failed.filter(({ id }) => carriedOut.has(id) === isDone),
  );
  const see = (list) => [...new Set(list.map(({ seen }) => seen))].join(", ");
  return { did: did.length, didSeen: see(did), not: not.length, notSeen: see(not) };
}

async function measureCost({ isTls, delayMs }) {
  const module = isTls ? https : http;
  const material = isTls ? makeCertificate() : {};
  const server = module.createServer(material, (_request, response) => response.end("{}"));
  const port = await listen(server);
  const line = delayMs === 0 ? { port, close() {} } : await startLine(port, delayMs);
  const times = {};
  for (const keepAlive of [false, true]) {
    const agent = new module.Agent({ keepAlive, ca: material.cert });
    const spent = [];
    for (let id = 0; id < 60; id += 1)
      spent.push((await write({ module, agent, port: line.port, id, ca: material.cert })).ms);
    times[keepAlive] = median(spent.slice(10));
    agent.destroy();
  }
  line.close();
  server.closeAllConnections();
  server.close();
  return { fresh: times.false, used: times.true };
}

console.log("A write: milliseconds on a new and on a used connection, and their ratio");
for (const isTls of [false, true])
  for (const delayMs of [0, oneWayMs]) {
    const { fresh, used } = await measureCost({ isTls, delayMs });
    const where = delayMs === 0 ? "on this machine" : `${2 * delayMs} ms there and back`;
    const ratio = (fresh / used).toFixed(1);
    console.log(
      `  ${isTls ? "https" : "http "} ${where}: ${fresh.toFixed(1)} / ${used.toFixed(1)} = ${ratio}`,
    );
  }
console.log(`\nOf ${writes} writes failed, and what the client saw: not carried out / carried out`);
for (const [name, server] of Object.entries(servers))
  for (const keepAlive of [false, true]) {
    const { did, didSeen, not, notSeen } = await countLost(server, keepAlive);
    const connection = keepAlive ? "used" : "new ";
    console.log(`  ${connection} ${name}: ${not} (${notSeen || "-"}) / ${did} (${didSeen || "-"})`);
  }
