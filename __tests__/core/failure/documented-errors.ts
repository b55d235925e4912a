/** Error bodies as public documentation shows them, each with what is to be read from it. */

import { expect } from "@jest/globals";
import type { ResponseHeaders } from "../../../src/core/http/limits/rate-limit.js";

export interface DocumentedError {
  readonly status: number;
  readonly headers?: ResponseHeaders;
  readonly contentType?: string;
  readonly body?: unknown;
  /** HTML or XML in place of `body`. */
  readonly markup?: string;
  /** Members that the error has. */
  readonly error: object;
}

/** By the API, the case, and where the body, or its form, is documented. */
export const documentedErrors: Readonly<Record<string, DocumentedError>> = {
  "RFC 9457, out of credit (https://www.rfc-editor.org/rfc/rfc9457#section-3)": {
    status: 403,
    contentType: "application/problem+json",
    body: {
      type: "https://example.com/probs/out-of-credit",
      title: "You do not have enough credit.",
      detail: "Your current balance is 30, but that costs 50.",
      instance: "/account/12345/msgs/abc",
      balance: 30,
      accounts: ["/account/12345", "/account/67890"],
    },
    error: {
      message: "You do not have enough credit: Your current balance is 30, but that costs 50.",
      category: "forbidden",
      code: "https://example.com/probs/out-of-credit",
      details: { balance: 30 },
    },
  },
  "GitHub, validation failed (https://docs.github.com/en/rest/using-the-rest-api/troubleshooting-the-rest-api)":
    {
      status: 422,
      body: {
        message: "Validation Failed",
        errors: [{ resource: "Issue", field: "title", code: "missing_field" }],
        documentation_url: "https://docs.github.com/rest/issues/issues#create-an-issue",
        status: "422",
      },
      error: {
        message: "Validation Failed",
        category: "validation",
        details: { fields: { title: ["missing_field"] } },
      },
    },
  "GitLab, message by field (https://docs.gitlab.com/api/rest/troubleshooting/)": {
    status: 400,
    body: { message: { bio: ["is too long (maximum is 255 characters)"] } },
    error: {
      message: "bio: is too long (maximum is 255 characters)",
      category: "validation",
      details: { fields: { bio: ["is too long (maximum is 255 characters)"] } },
    },
  },
  "JSON:API (https://jsonapi.org/examples/#error-objects)": {
    status: 422,
    contentType: "application/vnd.api+json",
    body: {
      errors: [
        {
          status: "422",
          source: { pointer: "/data/attributes/firstName" },
          title: "Invalid Attribute",
          detail: "First name must contain at least two characters.",
        },
      ],
    },
    error: {
      message: expect.stringMatching(/First name must contain at least two characters/),
      category: "validation",
      details: {
        fields: {
          "/data/attributes/firstName": [
            "Invalid Attribute: First name must contain at least two characters.",
          ],
        },
      },
    },
  },
  "WordPress, params by name (https://developer.wordpress.org/rest-api/extending-the-rest-api/adding-custom-endpoints/)":
    {
      status: 400,
      body: {
        code: "rest_invalid_param",
        message: "Invalid parameter(s): per_page",
        data: { status: 400, params: { per_page: "per_page must be between 1 and 100" }, details: {} },
      },
      error: {
        message: "Invalid parameter(s): per_page",
        category: "validation",
        code: "rest_invalid_param",
        details: { fields: { per_page: ["per_page must be between 1 and 100"] } },
      },
    },
  "GitHub GraphQL, a path in the answer is no field (https://docs.github.com/en/graphql/guides/introduction-to-graphql)":
    {
      status: 200,
      body: {
        data: { repository: null },
        errors: [
          {
            type: "NOT_FOUND",
            path: ["repository"],
            message: "Could not resolve to a Repository with the name 'a/b'.",
          },
        ],
      },
      error: {
        message: "Could not resolve to a Repository with the name 'a/b'.",
        category: "not_found",
        code: "NOT_FOUND",
      },
    },
  "AWS JSON, throttled (https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Programming.Errors.html)":
    {
      status: 400,
      body: { __type: "com.amazon.coral.availability#ThrottlingException", Message: "Rate exceeded" },
      error: {
        message: "Rate exceeded",
        category: "rate_limited",
        code: "ThrottlingException",
        retryable: true,
      },
    },
  "OAuth 2 bearer, everything in the header (https://www.rfc-editor.org/rfc/rfc6750#section-3)": {
    status: 401,
    headers: {
      "www-authenticate":
        'Bearer realm="example", error="invalid_token", error_description="The access token expired"',
    },
    body: undefined,
    error: { message: "The access token expired", category: "unauthorized", code: "invalid_token" },
  },
  "ASP.NET Core (https://learn.microsoft.com/en-us/aspnet/core/web-api/#automatic-http-400-responses)": {
    status: 400,
    contentType: "application/problem+json",
    body: {
      type: "https://tools.ietf.org/html/rfc9110#section-15.5.1",
      title: "One or more validation errors occurred.",
      status: 400,
      traceId: "|7fb5e16a-4c8f23bbfc974667.",
      errors: { "": ["A non-empty request body is required."], Name: ["The Name field is required."] },
    },
    error: {
      message: expect.stringMatching(/^One or more validation errors occurred/),
      category: "validation",
      details: { fields: { Name: ["The Name field is required."] } },
    },
  },
  "FastAPI (https://fastapi.tiangolo.com/tutorial/handling-errors/)": {
    status: 422,
    body: {
      detail: [{ loc: ["path", "item_id"], msg: "value is not a valid integer", type: "type_error.integer" }],
    },
    error: {
      message: "path.item_id: value is not a valid integer",
      category: "validation",
      details: { fields: { "path.item_id": ["value is not a valid integer"] } },
    },
  },
  "Django REST framework, fields (https://www.django-rest-framework.org/api-guide/exceptions/)": {
    status: 400,
    body: {
      amount: ["A valid integer is required."],
      description: ["This field may not be blank."],
      non_field_errors: ["The dates overlap."],
    },
    error: {
      message: "The dates overlap.",
      category: "validation",
      details: {
        fields: { amount: ["A valid integer is required."], description: ["This field may not be blank."] },
      },
    },
  },
  "Google Maps, refusal under 200 (https://developers.google.com/maps/documentation/geocoding/requests-geocoding#StatusCodes)":
    {
      status: 200,
      body: { error_message: "The provided API key is invalid.", results: [], status: "REQUEST_DENIED" },
      error: {
        message: "The provided API key is invalid.",
        category: "forbidden",
        code: "REQUEST_DENIED",
      },
    },
  "Stripe, missing parameter (https://docs.stripe.com/error-codes)": {
    status: 400,
    body: {
      error: {
        code: "parameter_missing",
        message: "Missing required param: amount.",
        param: "amount",
        type: "invalid_request_error",
      },
    },
    error: {
      message: "Missing required param: amount.",
      category: "validation",
      code: "parameter_missing",
      details: { fields: { amount: ["Missing required param: amount."] } },
    },
  },
  "Facebook, a token that has expired (https://developers.facebook.com/docs/facebook-login/access-tokens/debugging-and-error-handling)":
    {
      status: 400,
      body: {
        error: {
          message:
            "Error validating access token: Session has expired on Wednesday, 14-Feb-18 18:00:00 PST. The current time is Thursday, 15-Feb-18 13:46:35 PST.",
          type: "OAuthException",
          code: 190,
          error_subcode: 463,
          fbtrace_id: "H2il2t5bn4e",
        },
      },
      error: {
        message: expect.stringMatching(/^Error validating access token/),
        category: "unauthorized",
        code: "190",
        details: { error_subcode: 463 },
      },
    },
  "Google, a key that is not valid (https://cloud.google.com/apis/design/errors#error_info)": {
    status: 400,
    body: {
      error: {
        code: 400,
        message: "API key not valid. Please pass a valid API key.",
        status: "INVALID_ARGUMENT",
        details: [{ reason: "API_KEY_INVALID", domain: "googleapis.com", metadata: { service: "maps" } }],
      },
    },
    error: { category: "unauthorized", code: "API_KEY_INVALID" },
  },
  "Facebook, a parameter that is wrong (https://developers.facebook.com/docs/graph-api/guides/error-handling)":
    {
      status: 400,
      body: { error: { message: "(#100) Unknown fields: x.", type: "OAuthException", code: 100 } },
      error: { category: "bad_request", code: "100" },
    },
  "Facebook, too many calls (https://developers.facebook.com/docs/graph-api/guides/error-handling)": {
    status: 400,
    body: { error: { message: "(#4) Application request limit", type: "OAuthException", code: 4 } },
    error: { category: "rate_limited", code: "4" },
  },
  "Plaid, keys (https://plaid.com/docs/errors/invalid-input/)": {
    status: 400,
    body: {
      error_type: "INVALID_INPUT",
      error_code: "INVALID_API_KEYS",
      error_message: "invalid client_id or secret provided",
    },
    error: { category: "unauthorized", code: "INVALID_API_KEYS" },
  },
  "Stack Exchange, throttled (https://api.stackexchange.com/docs/error-handling)": {
    status: 400,
    body: {
      error_id: 502,
      error_message: "too many requests from this IP",
      error_name: "throttle_violation",
    },
    error: { category: "rate_limited", code: "throttle_violation", retryable: true },
  },
  "DynamoDB, throughput (https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Programming.Errors.html)":
    {
      status: 400,
      body: {
        __type: "com.amazonaws.dynamodb.v20120810#ProvisionedThroughputExceededException",
        message: "You exceeded your maximum allowed provisioned throughput.",
      },
      error: { category: "rate_limited", code: "ProvisionedThroughputExceededException" },
    },
  "SOAP, a client fault (https://www.w3.org/TR/2000/NOTE-SOAP-20000508/#_Toc478383510)": {
    status: 500,
    markup:
      "<s:Envelope><s:Body><s:Fault><faultcode>s:Client</faultcode><faultstring>Bad id</faultstring></s:Fault></s:Body></s:Envelope>",
    error: { message: "Bad id", category: "bad_request", code: "s:Client", retryable: false },
  },
  "Kubernetes, a continuation that has expired (https://kubernetes.io/docs/reference/using-api/api-concepts/#retrieving-large-results-sets-in-chunks)":
    {
      status: 410,
      body: {
        kind: "Status",
        status: "Failure",
        reason: "Expired",
        message: "The provided continue parameter is too old.",
        code: 410,
      },
      error: { category: "not_found", code: "Expired", hint: expect.stringMatching(/start the list again/) },
    },
  "Salesforce, hasErrors (https://developer.salesforce.com/docs/atlas.en-us.api_rest.meta/api_rest/dome_composite_sobject_tree_create.htm)":
    {
      status: 400,
      body: {
        hasErrors: true,
        results: [
          {
            referenceId: "ref1",
            errors: [
              {
                statusCode: "INVALID_EMAIL_ADDRESS",
                message: "invalid email address: 123",
                fields: ["Email"],
              },
            ],
          },
        ],
      },
      error: {
        category: "validation",
        code: "INVALID_EMAIL_ADDRESS",
        details: { fields: { Email: ["invalid email address: 123"] }, referenceId: "ref1" },
      },
    },
  "a version that has changed (a code of several APIs)": {
    status: 400,
    body: { code: "VERSION_CONFLICT", message: "Object is newer." },
    error: { category: "conflict", code: "VERSION_CONFLICT" },
  },
  "eBay, under 200 (https://developer.ebay.com/Devzone/XML/docs/Concepts/HandlingErrors.html)": {
    status: 200,
    body: {
      Ack: "Failure",
      Errors: [{ ShortMessage: "Bad id", LongMessage: "Item not found.", ErrorCode: "17" }],
      Build: "E1",
    },
    error: { message: "Item not found.", category: "bad_request", code: "17" },
  },
  "Jira, texts of no field (https://developer.atlassian.com/cloud/jira/platform/rest/v3/intro/#status-codes)":
    {
      status: 404,
      body: { errorMessages: ["Issue does not exist or you do not have permission to see it."], errors: {} },
      error: {
        message: "Issue does not exist or you do not have permission to see it.",
        category: "not_found",
      },
    },
  "Slack, with the reason beside the error (https://docs.slack.dev/reference/methods/chat.postMessage)": {
    status: 200,
    body: {
      ok: false,
      error: "invalid_arguments",
      response_metadata: { messages: ["[ERROR] missing required field: channel"] },
    },
    error: {
      message: "[ERROR] missing required field: channel",
      category: "validation",
      code: "invalid_arguments",
    },
  },
  "Django REST framework, fields of an inner object (https://www.django-rest-framework.org/api-guide/serializers/#dealing-with-nested-objects)":
    {
      status: 400,
      body: { profile: { age: ["A valid integer is required."] } },
      error: {
        category: "validation",
        details: { fields: { "profile.age": ["A valid integer is required."] } },
      },
    },
  "Cloudflare, a chain of errors (https://developers.cloudflare.com/fundamentals/api/troubleshooting/)": {
    status: 400,
    body: {
      success: false,
      errors: [
        {
          code: 6003,
          message: "Invalid request headers",
          error_chain: [{ code: 6103, message: "Invalid format for X-Auth-Key header" }],
        },
      ],
      messages: [],
      result: null,
    },
    error: {
      message: "Invalid request headers; Invalid format for X-Auth-Key header",
      category: "bad_request",
      code: "6003",
    },
  },
};
