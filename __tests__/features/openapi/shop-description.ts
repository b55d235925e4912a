/** A description made for tests: every feature of the specification that a call or a map can meet. */

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const json = (schema: object, more: object = {}) => ({
  content: { "application/json": { schema, ...more } },
});
const text = { type: "string" };
const integer = { type: "integer" };
const id = { name: "id", in: "path", required: true, schema: integer };
const query = (name: string, schema: object, more: object = {}) => ({
  name,
  in: "query",
  ...more,
  schema,
});
const object = (properties: object, required: readonly string[] = []) => ({
  type: "object",
  ...(required.length === 0 ? {} : { required }),
  properties,
});

const orders = {
  parameters: [{ $ref: "#/components/parameters/Locale" }],
  get: {
    summary: "List orders",
    operationId: "listOrders",
    parameters: [
      query("status", ref("Status")),
      query("limit", { type: "integer", default: 20, maximum: 100 }),
      query("since", { type: "string", format: "date" }, { required: true }),
      query("ids", { type: "array", items: integer }),
      query("filter", object({ city: text }), { style: "deepObject" }),
      query("page", object({ cursor: text })),
      { name: "X-Trace", in: "header", required: true, schema: text },
    ],
    responses: {
      200: {
        description: "A page of orders",
        ...json(
          object(
            { orders: { type: "array", items: ref("Order") }, next: { type: ["string", "null"] } },
            ["orders"],
          ),
        ),
      },
      400: { description: "A parameter is wrong" },
    },
  },
  post: {
    summary: "Create an order",
    requestBody: {
      required: true,
      ...json(ref("NewOrder"), {
        example: { customer: "c_1", lines: [{ sku: "A-1", quantity: 2 }] },
      }),
    },
    responses: {
      201: { description: "Created", ...json(ref("Order")) },
      422: { description: "The order is not possible" },
    },
  },
};

const order = {
  parameters: [id],
  get: {
    summary: "One order",
    responses: {
      200: { description: "The order", ...json(ref("Order")) },
      404: { description: "No such order" },
    },
  },
  patch: {
    summary: "Change an order",
    requestBody: json(object({ status: ref("Status"), comment: text })),
    responses: { 200: { description: "Changed" } },
  },
  delete: {
    summary: "Delete an order",
    deprecated: true,
    responses: { 204: { description: "Gone" } },
  },
};

const refund = {
  oneOf: [
    object({ amount: { type: "number" } }, ["amount"]),
    object({ lines: { type: "array", items: integer } }, ["lines"]),
  ],
};

export const shopDescription = {
  openapi: "3.1.0",
  info: { title: "Shop", version: "2.4", summary: "Orders and customers" },
  servers: [{ url: "https://api.shop.example/v1" }],
  security: [{ token: [] }],
  paths: {
    "/orders": orders,
    "/orders/{id}": order,
    "/orders/{id}/refunds": {
      post: {
        summary: "Refund an order",
        parameters: [id],
        requestBody: { required: true, ...json(refund) },
        responses: { 201: { description: "Refunded" } },
      },
    },
    "/files/{path}": {
      get: {
        summary: "A file",
        parameters: [{ ...id, name: "path", schema: text }],
        responses: {
          200: { description: "Its bytes", content: { "application/octet-stream": {} } },
        },
      },
    },
    "/search": {
      post: {
        summary: "Search by a form",
        requestBody: {
          required: true,
          content: { "application/x-www-form-urlencoded": { schema: object({ q: text }, ["q"]) } },
        },
        responses: { 200: { description: "Hits" } },
      },
    },
    "/settings": {
      put: {
        summary: "Replace the settings",
        requestBody: json({ type: "object", additionalProperties: true }),
        responses: { 200: { description: "Saved" } },
      },
    },
  },
  components: {
    parameters: { Locale: query("locale", text) },
    schemas: {
      Status: { type: "string", enum: ["open", "paid", "closed"] },
      Line: {
        ...object(
          {
            sku: { type: "string", pattern: "^(([a-z])+.)+[A-Z]([a-z])+$" },
            quantity: integer,
            gift: { type: "boolean" },
          },
          ["sku", "quantity"],
        ),
        additionalProperties: false,
      },
      NewOrder: {
        ...object(
          {
            id: { type: "integer", readOnly: true },
            customer: text,
            lines: { type: "array", items: ref("Line") },
            currency: { type: "string", enum: ["eur", "usd"], default: "eur" },
            note: { type: "string", nullable: true },
            parent: ref("NewOrder"),
          },
          ["customer", "lines"],
        ),
        additionalProperties: false,
      },
      Order: { allOf: [ref("NewOrder"), object({ id: integer, status: ref("Status") }, ["id"])] },
    },
    securitySchemes: { token: { type: "http", scheme: "bearer" } },
  },
};
