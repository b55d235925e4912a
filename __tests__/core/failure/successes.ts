/** Bodies under 200 that look like failures and are none, and some that are. */

/** Name and JSON value of answers that succeeded. */
export const successes: readonly (readonly [string, unknown])[] = [
  ["an empty object", {}],
  ["a bare string", '"error"'],
  ["a record with error null", { id: 1, name: "a", error: null }],
  ["data beside an empty list of errors", { data: { id: 1 }, errors: [] }],
  ["an error that is false with a message", { error: false, message: "Saved" }],
  ["an error code of 0", { errcode: 0, errmsg: "ok" }],
  ["a code of 0 with data", { code: 0, message: "success", data: [1] }],
  ["a one-time password", { code: 482913, message: "Your code is valid for 5 minutes" }],
  [
    "a job in the state error",
    { id: "job_1", status: "error", message: "disk full", createdAt: "2024-01-01" },
  ],
  [
    "a payment that did not succeed",
    { id: "pay_1", amount: 500, success: false, failure_code: "declined" },
  ],
  [
    "a bulk write with some failures",
    {
      took: 30,
      errors: true,
      items: [{ index: { status: 400, error: {} } }, { index: { status: 201 } }],
    },
  ],
  [
    "partial results beside errors",
    { data: [{ id: "1" }], errors: [{ title: "Not Found", detail: "no 2" }] },
  ],
  ["rows that hold errors", [{ ok: false, error: "x" }, { error: { message: "y" } }]],
  ["a rate of errors", { error: 0.25, window: "5m" }],
  [
    "a record called error",
    { error: { id: 5, title: "TypeError", message: "x is undefined", count: 3 } },
  ],
  ["a message alone", { message: "Error rates are down" }],
  ["GraphQL data", { data: { viewer: { error: "none", errors: ["a"] } } }],
  [
    "InfluxDB series",
    {
      results: [{ statement_id: 0, series: [{ name: "cpu", columns: ["error"], values: [[1]] }] }],
    },
  ],
  ["JSON-RPC with a result", { jsonrpc: "2.0", id: 1, result: { error: "x" }, error: null }],
  [
    "a code that only the record's errorWhen explains",
    { code: 10023, msg: "order is closed", data: null },
  ],
  ["a result that is a record", { result: { success: false, id: 7 } }],
  ["JSend success", { status: "success", data: null }],
  ["no success, as a text field", { success: "partially", message: "2 of 3" }],
];

/** Name and JSON value of answers that failed, beyond the dialects. */
export const failures: readonly (readonly [string, unknown])[] = [
  ["an outcome in data alone", { data: { success: false, message: "locked" } }],
  [
    "Authorize.net",
    {
      refId: "1",
      messages: { resultCode: "Error", message: [{ code: "E00003", text: "is invalid." }] },
    },
  ],
  ["ServiceStack", { responseStatus: { errorCode: "ArgumentException", message: "Bad id." } }],
  [
    "Slack, a scope that is missing",
    { ok: false, error: "missing_scope", needed: "chat:write", provided: "identify" },
  ],
  [
    "Pipedrive",
    { success: false, error: "Deal not found", error_info: "See the documentation.", data: null },
  ],
  ["a flag in other words", { isSuccess: false, message: "no stock", data: null }],
  ["a flag of an error", { isError: true, message: "no stock" }],
  ["JSend", { status: "fail", data: { title: "A title is required" } }],
  [
    "Tencent Cloud",
    { Response: { Error: { Code: "AuthFailure", Message: "Not valid." }, RequestId: "r" } },
  ],
  ["an error text alone", { error: "Something broke" }],
  ["error true with a message", { error: true, message: "Nope" }],
  ["errors by field", { errors: { title: ["is missing"] } }],
  ["an error code", { errcode: 40013, errmsg: "invalid appid" }],
  ["a status in the body", { statusCode: 404, message: "User not found" }],
  ["OMDb", { Response: "False", Error: "Movie not found!" }],
  ["an error in meta", { meta: { error_type: "E", error_message: "bad token" }, data: null }],
  [
    "an error code in a status object",
    { status: { error_code: 1002, error_message: "API key missing." } },
  ],
  [
    "GraphQL user errors",
    { data: { create: { product: null, userErrors: [{ field: ["title"], message: "blank" }] } } },
  ],
  ["only a result that is an error", { result: "error" }],
  [
    "eBay",
    {
      Timestamp: "2026-01-01T00:00:00Z",
      Ack: "Failure",
      Errors: [{ LongMessage: "Item not found.", ErrorCode: "10.12" }],
      Build: "E1",
      Version: "1",
    },
  ],
];
