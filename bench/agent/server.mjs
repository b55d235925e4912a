/** The fleet's HTTP API: pages, cursors, Link headers, a CSV, a search by POST, actions, an export with a rate limit. */

import { createServer } from "node:http";
import { createFleet, listStatement } from "./fleet.mjs";

/** What a request must carry; only the tools know it. */
export const token = "fleet-benchmark-credential-0";

const guide = {
  api: "Sykkel, rental bikes in five cities",
  endpoints: {
    "GET /stations": "all stations",
    "GET /stations/{id}": "one station, with an ETag",
    "PATCH /stations/{id}": "name, active, capacity; If-Match is required",
    "GET /bikes": "all bikes",
    "PATCH /bikes/{id}": "state (available, maintenance), station_id",
    "GET /riders": "by page and per_page (at most 100)",
    "GET /riders/{id}": "one rider",
    "PATCH /riders/{id}": "plan (single, monthly, annual), blocked, email, phone",
    "POST /riders/{id}/credits": "amount, note",
    "GET /rides":
      "by cursor and limit (at most 200); status, rider_id, bike_id, number, from and to (dates, to is exclusive) filter",
    "GET /rides/{id}": "one ride",
    "POST /rides/{id}/refund": "amount, reason",
    "POST /rides/{id}/cancel": "of a reserved ride",
    "GET /reports":
      "what riders report about bikes; by page and per_page (at most 100), Link header; state, severity, bike_id filter",
    "POST /reports": "bike_id, severity (low, normal, high, critical), text",
    "PATCH /reports/{id}":
      "state (open, waiting, closed), severity, assignee, resolution, duplicate_of (an id)",
    "GET /statements/{month}.csv": "what each station brought in a month, such as 2026-03",
    "POST /search":
      "in (riders or reports), words (all must stand in a name, email or text), limit (at most 50), offset",
    "POST /exports": "of (rides, riders), format (csv, json), month; one a second",
  },
};

const writable = {
  stations: ["name", "active", "capacity"],
  bikes: ["state", "station_id"],
  riders: ["plan", "blocked", "email", "phone"],
  reports: ["state", "severity", "assignee", "resolution", "duplicate_of"],
};
const allowed = {
  plan: ["single", "monthly", "annual"],
  severity: ["low", "normal", "high", "critical"],
  of: ["rides", "riders"],
  format: ["csv", "json"],
};
const states = { bikes: ["available", "maintenance"], reports: ["open", "waiting", "closed"] };

class Refusal {
  constructor(status, message, rest = {}, headers = {}) {
    Object.assign(this, { status, body: { error: { message, ...rest } }, headers });
  }
}
const invalid = (fields) => new Refusal(422, "The input is not valid.", { fields });

/** Starts the API on a free port: `{ baseUrl, fleet(), reset(), close() }`; `reset` brings the first state back. */
export async function startFleetServer() {
  const business = { fleet: createFleet(), exportedAt: undefined };
  const server = createServer((request, response) => {
    answer(business, request).then(({ status = 200, body, headers = {} }) => {
      const isText = typeof body === "string";
      response.writeHead(status, {
        "content-type": isText ? "text/csv" : "application/json",
        ...headers,
      });
      response.end(isText ? body : JSON.stringify(body));
    });
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    baseUrl: `http://127.0.0.1:${server.address().port}`,
    fleet: () => business.fleet,
    reset: () => Object.assign(business, { fleet: createFleet(), exportedAt: undefined }),
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}

async function answer(business, request) {
  try {
    let text = "";
    for await (const chunk of request) text += chunk;
    if (request.headers.authorization !== `Bearer ${token}`)
      throw new Refusal(401, "No valid credential.");
    const url = new URL(request.url, "http://fleet");
    const call = {
      ...business,
      business,
      method: request.method,
      url,
      query: Object.fromEntries(url.searchParams),
      headers: request.headers,
      body: text === "" ? {} : readBody(text),
    };
    const route = `${call.method} ${url.pathname.replace(/\/$/, "")}`;
    for (const [pattern, respond] of routes) {
      const match = pattern.exec(route);
      if (match) return respond(call, ...match.slice(1).map(decodeURIComponent));
    }
    throw new Refusal(404, `There is no ${route}. GET / lists what there is.`);
  } catch (refusal) {
    if (refusal instanceof Refusal) return refusal;
    return { status: 500, body: { error: { message: String(refusal) } } };
  }
}

function readBody(text) {
  try {
    return JSON.parse(text);
  } catch {
    throw new Refusal(400, "The body is not JSON.");
  }
}

const routes = [
  [/^GET $/, () => ({ body: guide })],
  [/^GET \/stations$/, ({ fleet }) => ({ body: fleet.stations })],
  [/^GET \/stations\/([^/]+)$/, ({ fleet }, id) => showStation(find(fleet, "stations", id))],
  [/^PATCH \/stations\/([^/]+)$/, changeStation],
  [/^GET \/bikes$/, ({ fleet }) => ({ body: { bikes: fleet.bikes } })],
  [/^GET \/riders$/, listRiders],
  [/^GET \/rides$/, listRides],
  [/^GET \/reports$/, listReports],
  [/^POST \/reports$/, createReport],
  [
    /^GET \/(bikes|riders|rides|reports)\/([^/]+)$/,
    ({ fleet }, kind, id) => ({ body: find(fleet, kind, id) }),
  ],
  [
    /^PATCH \/(bikes|riders|reports)\/([^/]+)$/,
    ({ fleet, body }, kind, id) => ({ body: change(find(fleet, kind, id), kind, body) }),
  ],
  [/^POST \/riders\/([^/]+)\/credits$/, createCredit],
  [/^POST \/rides\/([^/]+)\/refund$/, refund],
  [/^POST \/rides\/([^/]+)\/cancel$/, cancel],
  [/^GET \/statements\/(\d{4}-\d{2})\.csv$/, showStatement],
  [/^POST \/search$/, search],
  [/^POST \/exports$/, createExport],
];

function find(fleet, kind, id) {
  const found = fleet[kind].find((each) => String(each.id) === id);
  if (found === undefined)
    throw new Refusal(404, `There is no ${kind.slice(0, -1)} with the id ${id}.`);
  return found;
}

function change(record, kind, body) {
  const fields = {};
  for (const [name, value] of Object.entries(body)) {
    if (!writable[kind].includes(name)) fields[name] = ["can't be changed"];
    const values = name === "state" ? states[kind] : allowed[name];
    if (values !== undefined && !values.includes(value))
      fields[name] = [`must be one of ${values.join(", ")}`];
    if (name === "blocked" && typeof value !== "boolean") fields[name] = ["must be true or false"];
    if (name === "capacity" && !Number.isInteger(value)) fields[name] = ["must be a whole number"];
  }
  if (Object.keys(body).length === 0) fields.body = ["must hold at least one field"];
  if (Object.keys(fields).length > 0) throw invalid(fields);
  return Object.assign(record, body);
}

const showStation = (station) => ({
  body: station,
  headers: { etag: `"${station.id}-${station.version}"` },
});

function changeStation({ fleet, body, headers }, id) {
  const station = find(fleet, "stations", id);
  if (headers["if-match"] === undefined) throw new Refusal(428, "If-Match is required.");
  if (headers["if-match"] !== `"${station.id}-${station.version}"`) {
    throw new Refusal(412, "The station is not in the version that If-Match names.");
  }
  change(station, "stations", body);
  station.version += 1;
  return showStation(station);
}

function readSize(query, name, most) {
  const size = Number(query[name] ?? 25);
  if (!Number.isInteger(size) || size < 1 || size > most)
    throw invalid({ [name]: [`must be 1 to ${most}`] });
  return size;
}

function listRiders({ fleet, query }) {
  const size = readSize(query, "per_page", 100);
  const page = Number(query.page ?? 1);
  const pages = Math.ceil(fleet.riders.length / size);
  const items = fleet.riders.slice((page - 1) * size, page * size);
  return { body: { riders: items, page, per_page: size, pages, total: fleet.riders.length } };
}

function listRides({ fleet, query }) {
  const size = readSize(query, "limit", 200);
  const found = fleet.rides.filter(
    (ride) =>
      ["status", "rider_id", "bike_id", "number"].every(
        (name) => query[name] === undefined || String(ride[name]) === query[name],
      ) &&
      (query.from === undefined || ride.started_at >= query.from) &&
      (query.to === undefined || ride.started_at < query.to),
  );
  const first =
    query.cursor === undefined ? 0 : found.findIndex(({ id }) => id === readCursor(query.cursor));
  if (first < 0) throw invalid({ cursor: ["is not one of ours"] });
  const after = found[first + size];
  const cursor = after && Buffer.from(`after:${after.id}`).toString("base64url");
  return {
    body: {
      data: found.slice(first, first + size),
      has_more: after !== undefined,
      next_cursor: cursor ?? null,
    },
  };
}

const readCursor = (cursor) => Buffer.from(cursor, "base64url").toString().slice("after:".length);

function listReports({ fleet, query, url }) {
  const size = readSize(query, "per_page", 100);
  const page = Number(query.page ?? 1);
  const found = fleet.reports.filter((report) =>
    ["state", "severity", "bike_id"].every(
      (name) => query[name] === undefined || report[name] === query[name],
    ),
  );
  const headers = { "x-total-count": String(found.length) };
  if (page * size < found.length) {
    const next = new URLSearchParams({ ...Object.fromEntries(url.searchParams), page: page + 1 });
    headers.link = `</reports?${next}>; rel="next"`;
  }
  return { body: found.slice((page - 1) * size, page * size), headers };
}

function createReport({ fleet, body }) {
  const fields = {};
  if (!fleet.bikes.some(({ id }) => id === body.bike_id))
    fields.bike_id = ["must be the id of a bike"];
  if (!allowed.severity.includes(body.severity))
    fields.severity = [`must be one of ${allowed.severity.join(", ")}`];
  if (typeof body.text !== "string" || body.text === "") fields.text = ["must be given"];
  if (Object.keys(fields).length > 0) throw invalid(fields);
  const { bike_id, severity, text } = body;
  const report = {
    object: "report",
    id: `dr_new${fleet.reports.length}`,
    bike_id,
    severity,
    text,
    state: "open",
  };
  fleet.reports.push(report);
  return { status: 201, body: report, headers: { location: `/reports/${report.id}` } };
}

function createCredit({ fleet, body }, id) {
  const rider = find(fleet, "riders", id);
  if (!(body.amount > 0)) throw invalid({ amount: ["must be greater than 0"] });
  const credit = {
    object: "credit",
    id: `cr_${fleet.credits.length + 1}`,
    rider_id: rider.id,
    ...body,
  };
  fleet.credits.push(credit);
  return { status: 201, body: credit };
}

function refund({ fleet, body }, id) {
  const ride = find(fleet, "rides", id);
  const left = Math.round((ride.fare.total - ride.fare.refunded) * 100) / 100;
  if (typeof body.reason !== "string") throw invalid({ reason: ["must be given"] });
  if (!(body.amount > 0 && body.amount <= left))
    throw invalid({ amount: [`must be greater than 0, at most ${left}`] });
  ride.fare.refunded = Math.round((ride.fare.refunded + body.amount) * 100) / 100;
  ride.refund_reason = body.reason;
  return { body: ride };
}

function cancel({ fleet }, id) {
  const ride = find(fleet, "rides", id);
  if (ride.status !== "reserved") {
    throw new Refusal(409, `The ride is ${ride.status}; only a reserved ride can be cancelled.`, {
      code: "not_reserved",
    });
  }
  ride.status = "cancelled";
  return { body: ride };
}

function showStatement({ fleet }, month) {
  const rows = listStatement(fleet, month);
  return {
    body: [Object.keys(rows[0]).join(","), ...rows.map((row) => Object.values(row).join(","))].join(
      "\r\n",
    ),
  };
}

function search({ fleet, body }) {
  const texts = { riders: ({ name, email }) => `${name} ${email}`, reports: ({ text }) => text };
  const read = texts[body.in];
  if (read === undefined) throw invalid({ in: ["must be riders or reports"] });
  if (typeof body.words !== "string") throw invalid({ words: ["must be given"] });
  const words = body.words.toLowerCase().split(/\s+/);
  const found = fleet[body.in].filter((each) =>
    words.every((word) => read(each).toLowerCase().includes(word)),
  );
  const limit = Math.min(Number(body.limit ?? 20), 50);
  const offset = Number(body.offset ?? 0);
  return {
    body: { hits: found.slice(offset, offset + limit), total: found.length, limit, offset },
  };
}

function createExport({ business, fleet, body }) {
  const now = Date.now();
  // The office shares this quota: the first try always comes too early.
  business.exportedAt ??= now;
  if (now - business.exportedAt < 1000) {
    throw new Refusal(429, "One export a second.", {}, { "retry-after": "1" });
  }
  for (const name of ["of", "format"]) {
    if (!allowed[name].includes(body[name]))
      throw invalid({ [name]: [`must be one of ${allowed[name].join(", ")}`] });
  }
  business.exportedAt = now;
  const job = { object: "export", id: `ex_${fleet.exports.length + 1}`, ...body, state: "queued" };
  fleet.exports.push(job);
  return { status: 202, body: job };
}
