/** Error bodies as public documentation shows them, each with what is to be read from it. */

import { expect } from "@jest/globals";
import type { ResponseHeaders } from "../../../src/core/http/limits/rate-limit.js";

interface More {
  readonly headers?: ResponseHeaders;
  readonly contentType?: string;
}

/** The status, the body (a text is XML), and members that the error has. */
export type DocumentedError = readonly [status: number, body: unknown, error: object, more?: More];

const ofField = (name: string, text: string) => ({ details: { fields: { [name]: [text] } } });

/** By the API, the case, and where the body, or its form, is documented. */
export const documentedErrors: Readonly<Record<string, DocumentedError>> = {
  "RFC 9457, out of credit (https://www.rfc-editor.org/rfc/rfc9457#section-3)": [
    403,
    {
      type: "https://example.com/probs/out-of-credit",
      title: "You do not have enough credit.",
      detail: "Your current balance is 30, but that costs 50.",
      instance: "/account/12345/msgs/abc",
      balance: 30,
      accounts: ["/account/12345", "/account/67890"],
    },
    {
      message: "You do not have enough credit: Your current balance is 30, but that costs 50.",
      category: "forbidden",
      code: "https://example.com/probs/out-of-credit",
      details: { balance: 30 },
    },
    { contentType: "application/problem+json" },
  ],
  "GitHub, validation failed (https://docs.github.com/en/rest/using-the-rest-api/troubleshooting-the-rest-api)":
    [
      422,
      {
        message: "Validation Failed",
        errors: [{ field: "title", code: "missing_field" }],
        status: "422",
      },
      {
        message: "Validation Failed",
        category: "validation",
        ...ofField("title", "missing_field"),
      },
    ],
  "GitLab, message by field (https://docs.gitlab.com/api/rest/troubleshooting/)": [
    400,
    { message: { bio: ["is too long"] } },
    { message: "bio: is too long", category: "validation", ...ofField("bio", "is too long") },
  ],
  "JSON:API (https://jsonapi.org/examples/#error-objects)": [
    422,
    {
      errors: [
        {
          status: "422",
          source: { pointer: "/data/name" },
          title: "Invalid",
          detail: "Too short.",
        },
      ],
    },
    { category: "validation", ...ofField("/data/name", "Invalid: Too short.") },
    { contentType: "application/vnd.api+json" },
  ],
  "WordPress, params by name (https://developer.wordpress.org/rest-api/extending-the-rest-api/adding-custom-endpoints/)":
    [
      400,
      {
        code: "rest_invalid_param",
        message: "Invalid parameter(s): per_page",
        data: {
          status: 400,
          params: { per_page: "per_page must be between 1 and 100" },
          details: {},
        },
      },
      {
        message: "Invalid parameter(s): per_page",
        category: "validation",
        code: "rest_invalid_param",
        ...ofField("per_page", "per_page must be between 1 and 100"),
      },
    ],
  "GitHub GraphQL, a path in the answer is no field (https://docs.github.com/en/graphql/guides/introduction-to-graphql)":
    [
      200,
      {
        data: { repository: null },
        errors: [{ type: "NOT_FOUND", path: ["repository"], message: "No 'a/b'." }],
      },
      { message: "No 'a/b'.", category: "not_found", code: "NOT_FOUND" },
    ],
  "OAuth 2 bearer, everything in the header (https://www.rfc-editor.org/rfc/rfc6750#section-3)": [
    401,
    undefined,
    { message: "The access token expired", category: "unauthorized", code: "invalid_token" },
    {
      headers: {
        "www-authenticate":
          'Bearer error="invalid_token", error_description="The access token expired"',
      },
    },
  ],
  "ASP.NET Core (https://learn.microsoft.com/en-us/aspnet/core/web-api/#automatic-http-400-responses)":
    [
      400,
      {
        type: "https://tools.ietf.org/html/rfc9110#section-15.5.1",
        title: "One or more validation errors occurred.",
        status: 400,
        traceId: "|7fb5e16a-4c8f23bbfc974667.",
        errors: {
          "": ["A non-empty request body is required."],
          Name: ["The Name field is required."],
        },
      },
      {
        message: expect.stringMatching(/^One or more validation errors occurred/),
        category: "validation",
        ...ofField("Name", "The Name field is required."),
      },
    ],
  "FastAPI (https://fastapi.tiangolo.com/tutorial/handling-errors/)": [
    422,
    {
      detail: [{ loc: ["path", "item_id"], msg: "is not an integer", type: "type_error.integer" }],
    },
    {
      message: "path.item_id: is not an integer",
      category: "validation",
      ...ofField("path.item_id", "is not an integer"),
    },
  ],
  "Django REST framework, fields, of an inner object too (https://www.django-rest-framework.org/api-guide/exceptions/)":
    [
      400,
      {
        non_field_errors: ["The dates overlap."],
        profile: { age: ["A valid integer is required."] },
      },
      {
        message: "The dates overlap.",
        category: "validation",
        ...ofField("profile.age", "A valid integer is required."),
      },
    ],
  "Google Maps, refusal under 200 (https://developers.google.com/maps/documentation/geocoding/requests-geocoding#StatusCodes)":
    [
      200,
      { error_message: "The provided API key is invalid.", results: [], status: "REQUEST_DENIED" },
      {
        message: "The provided API key is invalid.",
        category: "forbidden",
        code: "REQUEST_DENIED",
      },
    ],
  "Stripe, missing parameter (https://docs.stripe.com/error-codes)": [
    400,
    {
      error: {
        code: "parameter_missing",
        message: "Missing: amount.",
        param: "amount",
        type: "invalid_request_error",
      },
    },
    {
      message: "Missing: amount.",
      category: "validation",
      code: "parameter_missing",
      ...ofField("amount", "Missing: amount."),
    },
  ],
  "Facebook, a token that has expired (https://developers.facebook.com/docs/facebook-login/access-tokens/debugging-and-error-handling)":
    [
      400,
      {
        error: {
          message: "Session has expired.",
          type: "OAuthException",
          code: 190,
          error_subcode: 463,
        },
      },
      { category: "unauthorized", code: "190", details: { error_subcode: 463 } },
    ],
  "Facebook, a parameter that is wrong (https://developers.facebook.com/docs/graph-api/guides/error-handling)":
    [
      400,
      { error: { message: "(#100) Unknown fields: x.", type: "OAuthException", code: 100 } },
      { category: "bad_request", code: "100" },
    ],
  "Facebook, too many calls (https://developers.facebook.com/docs/graph-api/guides/error-handling)":
    [
      400,
      { error: { message: "(#4) Application request limit", type: "OAuthException", code: 4 } },
      { category: "rate_limited", code: "4" },
    ],
  "Google, a key that is not valid (https://cloud.google.com/apis/design/errors#error_info)": [
    400,
    {
      error: {
        code: 400,
        message: "API key not valid. Please pass a valid API key.",
        status: "INVALID_ARGUMENT",
        details: [
          { reason: "API_KEY_INVALID", domain: "googleapis.com", metadata: { service: "maps" } },
        ],
      },
    },
    { category: "unauthorized", code: "API_KEY_INVALID" },
  ],
  "Plaid, keys (https://plaid.com/docs/errors/invalid-input/)": [
    400,
    {
      error_type: "INVALID_INPUT",
      error_code: "INVALID_API_KEYS",
      error_message: "invalid secret",
    },
    { category: "unauthorized", code: "INVALID_API_KEYS" },
  ],
  "Stack Exchange, throttled (https://api.stackexchange.com/docs/error-handling)": [
    400,
    {
      error_id: 502,
      error_message: "too many requests from this IP",
      error_name: "throttle_violation",
    },
    { category: "rate_limited", code: "throttle_violation", retryable: true },
  ],
  "DynamoDB, throughput (https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Programming.Errors.html)":
    [
      400,
      {
        __type: "com.amazonaws.dynamodb#ProvisionedThroughputExceededException",
        Message: "Slow down.",
      },
      {
        message: "Slow down.",
        category: "rate_limited",
        code: "ProvisionedThroughputExceededException",
      },
    ],
  "SOAP, a client fault (https://www.w3.org/TR/2000/NOTE-SOAP-20000508/#_Toc478383510)": [
    500,
    "<s:Envelope><s:Body><s:Fault><faultcode>s:Client</faultcode><faultstring>Bad id</faultstring></s:Fault></s:Body></s:Envelope>",
    { message: "Bad id", category: "bad_request", code: "s:Client", retryable: false },
  ],
  "Kubernetes, a continuation that has expired (https://kubernetes.io/docs/reference/using-api/api-concepts/#retrieving-large-results-sets-in-chunks)":
    [
      410,
      { kind: "Status", status: "Failure", reason: "Expired", message: "Too old.", code: 410 },
      {
        category: "not_found",
        code: "Expired",
        hint: expect.stringMatching(/start the list again/),
      },
    ],
  "Salesforce, hasErrors (https://developer.salesforce.com/docs/atlas.en-us.api_rest.meta/api_rest/dome_composite_sobject_tree_create.htm)":
    [
      400,
      {
        hasErrors: true,
        results: [
          {
            referenceId: "ref1",
            errors: [
              { statusCode: "INVALID_EMAIL_ADDRESS", message: "invalid email", fields: ["Email"] },
            ],
          },
        ],
      },
      {
        category: "validation",
        code: "INVALID_EMAIL_ADDRESS",
        details: { fields: { Email: ["invalid email"] }, referenceId: "ref1" },
      },
    ],
  "a version that has changed (a code of several APIs)": [
    400,
    { code: "VERSION_CONFLICT", message: "Object is newer." },
    { category: "conflict", code: "VERSION_CONFLICT" },
  ],
  "eBay, under 200 (https://developer.ebay.com/Devzone/XML/docs/Concepts/HandlingErrors.html)": [
    200,
    {
      Ack: "Failure",
      Errors: [{ ShortMessage: "Bad id", LongMessage: "No item.", ErrorCode: "17" }],
    },
    { message: "No item.", category: "bad_request", code: "17" },
  ],
  "Jira, texts of no field (https://developer.atlassian.com/cloud/jira/platform/rest/v3/intro/#status-codes)":
    [
      404,
      { errorMessages: ["Issue does not exist."], errors: {} },
      { message: "Issue does not exist.", category: "not_found" },
    ],
  "Slack, with the reason beside the error (https://docs.slack.dev/reference/methods/chat.postMessage)":
    [
      200,
      {
        ok: false,
        error: "invalid_arguments",
        response_metadata: { messages: ["missing field: channel"] },
      },
      { message: "missing field: channel", category: "validation", code: "invalid_arguments" },
    ],
  "Cloudflare, a chain of errors (https://developers.cloudflare.com/fundamentals/api/troubleshooting/)":
    [
      400,
      {
        success: false,
        errors: [
          {
            code: 6003,
            message: "Bad headers",
            error_chain: [{ code: 6103, message: "Bad format" }],
          },
        ],
        result: null,
      },
      { message: "Bad headers; Bad format", category: "bad_request", code: "6003" },
    ],
};
