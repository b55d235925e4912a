/** The fleet's API as an OpenAPI document: what `GET /` says of it, told exactly. */

const text = { type: "string" };
const whole = { type: "integer" };
const flag = { type: "boolean" };
const listed = (...values) => ({ type: "string", enum: values });
const id = { name: "id", in: "path", required: true, schema: text };
const query = (names) =>
  Object.entries(names).map(([name, schema]) => ({ name, in: "query", schema }));
const answers = {
  200: { description: "Done", content: { "application/json": { schema: { type: "object" } } } },
};
const read = (summary, parameters = []) => ({ summary, parameters, responses: answers });
const write = (summary, properties, { required = [], parameters = [] } = {}) => ({
  summary,
  parameters,
  requestBody: {
    required: required.length > 0,
    content: {
      "application/json": {
        schema: { type: "object", ...(required.length > 0 ? { required } : {}), properties },
      },
    },
  },
  responses: answers,
});
const byPage = { page: whole, per_page: { ...whole, maximum: 100 } };
const severity = listed("low", "normal", "high", "critical");

/** @param baseUrl - Where the server runs. */
export function describeFleet(baseUrl) {
  const ofOne = { parameters: [id] };
  return {
    openapi: "3.0.3",
    info: { title: "Sykkel, rental bikes in five cities", version: "1" },
    servers: [{ url: baseUrl }],
    paths: {
      "/": { get: read("What there is") },
      "/stations": { get: read("All stations") },
      "/stations/{id}": {
        get: read("One station, with an ETag", [id]),
        patch: write(
          "Change a station; If-Match is required",
          { name: text, active: flag, capacity: whole },
          ofOne,
        ),
      },
      "/bikes": { get: read("All bikes") },
      "/bikes/{id}": {
        patch: write(
          "Change a bike",
          { state: listed("available", "maintenance"), station_id: {} },
          ofOne,
        ),
      },
      "/riders": { get: read("Riders by page", query(byPage)) },
      "/riders/{id}": {
        get: read("One rider", [id]),
        patch: write(
          "Change a rider",
          { plan: listed("single", "monthly", "annual"), blocked: flag, email: text, phone: text },
          ofOne,
        ),
      },
      "/riders/{id}/credits": {
        post: write("Give a rider a credit", { amount: { type: "number" }, note: text }, ofOne),
      },
      "/rides": {
        get: read(
          "Rides by cursor; from and to are dates, to is exclusive",
          query({
            cursor: text,
            limit: { ...whole, maximum: 200 },
            status: text,
            rider_id: text,
            bike_id: text,
            number: text,
            from: text,
            to: text,
          }),
        ),
      },
      "/rides/{id}": { get: read("One ride", [id]) },
      "/rides/{id}/refund": {
        post: write("Refund a ride", { amount: { type: "number" }, reason: text }, ofOne),
      },
      "/rides/{id}/cancel": {
        post: { summary: "Cancel a reserved ride", parameters: [id], responses: answers },
      },
      "/reports": {
        get: read(
          "What riders report about bikes",
          query({ ...byPage, state: text, severity, bike_id: text }),
        ),
        post: write(
          "Report about a bike",
          { bike_id: {}, severity, text },
          { required: ["bike_id"] },
        ),
      },
      "/reports/{id}": {
        patch: write(
          "Change a report; duplicate_of is the id of another",
          {
            state: listed("open", "waiting", "closed"),
            severity,
            assignee: text,
            resolution: text,
            duplicate_of: {},
          },
          ofOne,
        ),
      },
      "/statements/{month}.csv": {
        get: read("What each station brought in a month, such as 2026-03", [
          { ...id, name: "month" },
        ]),
      },
      "/search": {
        post: write(
          "Search riders or reports: all words must stand in a name, an email or a text",
          {
            in: listed("riders", "reports"),
            words: {},
            limit: { ...whole, maximum: 50 },
            offset: whole,
          },
          { required: ["in"] },
        ),
      },
      "/exports": {
        post: write("Export; one a second", {
          of: listed("rides", "riders"),
          format: listed("csv", "json"),
          month: text,
        }),
      },
    },
  };
}
