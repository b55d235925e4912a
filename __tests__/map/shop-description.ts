/** A description made for tests: every feature of the specification that a call or a map can meet. */

export const shopDescription = {
  openapi: "3.1.0",
  info: { title: "Shop", version: "2.4", summary: "Orders and customers" },
  servers: [{ url: "https://api.shop.example/v1" }],
  security: [{ token: [] }],
  paths: {
    "/orders": {
      parameters: [{ $ref: "#/components/parameters/Locale" }],
      get: {
        summary: "List orders",
        operationId: "listOrders",
        parameters: [
          { name: "status", in: "query", schema: { $ref: "#/components/schemas/Status" } },
          { name: "limit", in: "query", schema: { type: "integer", default: 20, maximum: 100 } },
          { name: "since", in: "query", required: true, schema: { type: "string", format: "date" } },
          { name: "ids", in: "query", schema: { type: "array", items: { type: "integer" } } },
          {
            name: "filter",
            in: "query",
            style: "deepObject",
            schema: { type: "object", properties: { city: { type: "string" } } },
          },
          {
            name: "page",
            in: "query",
            schema: { type: "object", properties: { cursor: { type: "string" } } },
          },
          { name: "X-Trace", in: "header", required: true, schema: { type: "string" } },
        ],
        responses: {
          200: {
            description: "A page of orders",
            content: {
              "application/json": {
                schema: {
                  type: "object",
                  required: ["orders"],
                  properties: {
                    orders: { type: "array", items: { $ref: "#/components/schemas/Order" } },
                    next: { type: ["string", "null"] },
                  },
                },
              },
            },
          },
          400: { description: "A parameter is wrong" },
        },
      },
      post: {
        summary: "Create an order",
        requestBody: {
          required: true,
          content: {
            "application/json": {
              schema: { $ref: "#/components/schemas/NewOrder" },
              example: { customer: "c_1", lines: [{ sku: "A-1", quantity: 2 }] },
            },
          },
        },
        responses: {
          201: {
            description: "Created",
            content: { "application/json": { schema: { $ref: "#/components/schemas/Order" } } },
          },
          422: { description: "The order is not possible" },
        },
      },
    },
    "/orders/{id}": {
      parameters: [{ name: "id", in: "path", required: true, schema: { type: "integer" } }],
      get: {
        summary: "One order",
        responses: {
          200: {
            description: "The order",
            content: { "application/json": { schema: { $ref: "#/components/schemas/Order" } } },
          },
          404: { description: "No such order" },
        },
      },
      patch: {
        summary: "Change an order",
        requestBody: {
          content: {
            "application/json": {
              schema: {
                type: "object",
                properties: { status: { $ref: "#/components/schemas/Status" }, comment: { type: "string" } },
              },
            },
          },
        },
        responses: { 200: { description: "Changed" } },
      },
      delete: { summary: "Delete an order", deprecated: true, responses: { 204: { description: "Gone" } } },
    },
    "/orders/{id}/refunds": {
      post: {
        summary: "Refund an order",
        parameters: [{ name: "id", in: "path", required: true, schema: { type: "integer" } }],
        requestBody: {
          required: true,
          content: {
            "application/json": {
              schema: {
                oneOf: [
                  { type: "object", required: ["amount"], properties: { amount: { type: "number" } } },
                  {
                    type: "object",
                    required: ["lines"],
                    properties: { lines: { type: "array", items: { type: "integer" } } },
                  },
                ],
              },
            },
          },
        },
        responses: { 201: { description: "Refunded" } },
      },
    },
    "/files/{path}": {
      get: {
        summary: "A file",
        parameters: [{ name: "path", in: "path", required: true, schema: { type: "string" } }],
        responses: { 200: { description: "Its bytes", content: { "application/octet-stream": {} } } },
      },
    },
    "/search": {
      post: {
        summary: "Search by a form",
        requestBody: {
          required: true,
          content: {
            "application/x-www-form-urlencoded": {
              schema: { type: "object", required: ["q"], properties: { q: { type: "string" } } },
            },
          },
        },
        responses: { 200: { description: "Hits" } },
      },
    },
    "/settings": {
      put: {
        summary: "Replace the settings",
        requestBody: {
          content: { "application/json": { schema: { type: "object", additionalProperties: true } } },
        },
        responses: { 200: { description: "Saved" } },
      },
    },
  },
  components: {
    parameters: {
      Locale: { name: "locale", in: "query", schema: { type: "string" } },
    },
    schemas: {
      Status: { type: "string", enum: ["open", "paid", "closed"] },
      Line: {
        type: "object",
        required: ["sku", "quantity"],
        additionalProperties: false,
        properties: {
          sku: { type: "string", pattern: "^(([a-z])+.)+[A-Z]([a-z])+$" },
          quantity: { type: "integer" },
          gift: { type: "boolean" },
        },
      },
      NewOrder: {
        type: "object",
        required: ["customer", "lines"],
        additionalProperties: false,
        properties: {
          id: { type: "integer", readOnly: true },
          customer: { type: "string" },
          lines: { type: "array", items: { $ref: "#/components/schemas/Line" } },
          currency: { type: "string", enum: ["eur", "usd"], default: "eur" },
          note: { type: "string", nullable: true },
          parent: { $ref: "#/components/schemas/NewOrder" },
        },
      },
      Order: {
        allOf: [
          { $ref: "#/components/schemas/NewOrder" },
          {
            type: "object",
            required: ["id"],
            properties: { id: { type: "integer" }, status: { $ref: "#/components/schemas/Status" } },
          },
        ],
      },
    },
    securitySchemes: { token: { type: "http", scheme: "bearer" } },
  },
};
