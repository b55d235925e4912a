import { describe, expect, it } from "@jest/globals";
import type { CallError } from "../../../src/core/base/errors.js";
import { readResponseBody } from "../../../src/core/body/read-response-body.js";
import { readError } from "../../../src/core/failure/call-error.js";
import { createRedactor } from "../../../src/core/secrets/redactor.js";
import { makeSource } from "../../support/api-source.js";

const source = makeSource();
const write = { method: "POST", path: "/x", url: "https://api.example.com/x" } as const;
const credential = { variables: ["SHOP_TOKEN"] };
const redactor = createRedactor([]);

async function read(text: string, type: string, more: object = {}): Promise<CallError | undefined> {
  const headers = { "content-type": type };
  const body = await readResponseBody({ bytes: Buffer.from(text), headers, redactor });
  const request = { method: "GET", path: "/x", url: "https://api.example.com/x" } as const;
  return readError({ status: 200, headers, body, request, source, credential, ...more })?.error;
}

const events = "text/event-stream";
const lines = "application/x-ndjson";
const json = "application/json";

describe("the end of a stream", () => {
  it.each<[string, string, string, string]>([
    // docs.anthropic.com, "Streaming messages", error events.
    [
      "an event named error",
      events,
      'event: error\ndata: {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}\n\n',
      "Overloaded",
    ],
    [
      "an event named error with a text",
      events,
      'data: {"a":1}\n\nevent: error\ndata: upstream closed\n\n',
      "upstream closed",
    ],
    // platform.openai.com, "Streaming", which ends with [DONE].
    [
      "an error before [DONE]",
      events,
      'data: {"error":{"message":"quota exceeded"}}\n\ndata: [DONE]\n\n',
      "quota exceeded",
    ],
    [
      "an error after the first tokens",
      events,
      'data: {"choices":[]}\n\ndata: {"error":{"message":"Overloaded","code":529}}\n\n',
      "Overloaded",
    ],
    // modelcontextprotocol.io, "Streamable HTTP".
    [
      "a JSON-RPC error",
      events,
      'event: message\ndata: {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"Unknown tool"}}\n\n',
      "Unknown tool",
    ],
    // graphql-over-http, "GraphQL over Server-Sent Events".
    [
      "GraphQL errors",
      events,
      'event: next\ndata: {"errors":[{"message":"Bad"}],"data":null}\n\nevent: complete\ndata:\n\n',
      "Bad",
    ],
    // ollama.com, "Streaming errors".
    [
      "the last line of NDJSON",
      lines,
      '{"response":"a"}\n{"error":"model runner has stopped"}\n',
      "model runner has stopped",
    ],
    // docs.docker.com, Engine API, "Create an image".
    [
      "the last document",
      json,
      '{"status":"Pulling"}\r\n{"errorDetail":{"message":"toomanyrequests"},"error":"toomanyrequests"}\r\n',
      "toomanyrequests",
    ],
    // kubernetes.io, "Efficient detection of changes".
    [
      "a watch that expired",
      json,
      '{"type":"ADDED","object":{"kind":"Pod"}}\n{"type":"ERROR","object":{"kind":"Status","status":"Failure","message":"too old resource version","reason":"Expired","code":410}}\n',
      "too old resource version",
    ],
    // platform.openai.com, API reference, "Responses: Streaming events", response.failed and error.
    [
      "OpenAI's response.failed",
      events,
      'event: response.failed\ndata: {"type":"response.failed","response":{"id":"resp_1","status":"failed","error":{"code":"server_error","message":"The model failed to generate a response."},"output":[]},"sequence_number":1}\n\n',
      "The model failed to generate a response.",
    ],
    [
      "OpenAI's error without the name of its event",
      events,
      'data: {"type":"error","code":"ERR_SOMETHING","message":"Something went wrong","param":null,"sequence_number":1}\n\n',
      "Something went wrong",
    ],
    // platform.openai.com, API reference, "Assistants: Streaming events".
    [
      "a run that failed",
      events,
      'event: thread.run.failed\ndata: {"id":"run_1","object":"thread.run","status":"failed","last_error":{"code":"rate_limit_exceeded","message":"You exceeded your quota"},"model":"m"}\n\nevent: done\ndata: [DONE]\n\n',
      "You exceeded your quota",
    ],
    // openrouter.ai/docs, "Errors and debugging", mid-stream errors.
    [
      "a chunk with an error beside its choices",
      events,
      'data: {"id":"gen-1","object":"chat.completion.chunk","model":"m","provider":"p","error":{"code":"server_error","message":"Provider disconnected"},"choices":[{"index":0,"delta":{"content":""},"finish_reason":"error"}]}\n\n',
      "Provider disconnected",
    ],
    // docs.cohere.com, "Chat with streaming", message-end.
    [
      "Cohere's finish_reason with its error",
      events,
      'event: message-end\ndata: {"type":"message-end","delta":{"finish_reason":"ERROR","error":"model crashed","usage":{}}}\n\n',
      "model crashed",
    ],
    // docs.mistral.ai, API, "Chat completion" (finish_reason error) and "Conversations" (conversation.response.error).
    [
      "Mistral's finish_reason",
      events,
      'data: {"id":"c","object":"chat.completion.chunk","choices":[{"index":0,"delta":{"content":""},"finish_reason":"error"}]}\n\ndata: [DONE]\n\n',
      "finish_reason error",
    ],
    [
      "Mistral's conversation",
      events,
      'event: conversation.response.error\ndata: {"type":"conversation.response.error","message":"Tool failed","code":3001}\n\n',
      "Tool failed",
    ],
    // docs.dify.ai, "Send chat message", event: error.
    [
      "Dify's error",
      events,
      'data: {"event":"error","task_id":"t","status":400,"code":"completion_request_error","message":"Run failed"}\n\n',
      "Run failed",
    ],
    // langchain-ai.github.io/langgraph/cloud, "Stream outputs".
    [
      "an error before the event that ends the stream",
      events,
      'event: error\ndata: {"error":"ValueError","message":"bad input"}\n\nevent: end\ndata: null\n\n',
      "bad input",
    ],
    // ai.google.dev/api, "streamGenerateContent" without alt=sse: one list.
    [
      "a google.rpc.Status at the end of a list",
      json,
      '[{"candidates":[]}\n,\n{"error":{"code":503,"message":"The model is overloaded.","status":"UNAVAILABLE"}}]',
      "The model is overloaded.",
    ],
    // grpc-ecosystem.github.io/grpc-gateway, "Customizing your gateway", stream errors (etcd).
    [
      "an error of grpc-gateway",
      json,
      '{"result":{"header":{}}}\n{"error":{"grpc_code":11,"http_code":400,"message":"required revision has been compacted","http_status":"Bad Request"}}\n',
      "required revision has been compacted",
    ],
    // docs.ag-ui.com, "Events", RunError.
    [
      "AG-UI's error",
      events,
      'data: {"type":"RUN_STARTED","runId":"r"}\n\ndata: {"type":"RUN_ERROR","message":"Agent crashed","code":"E1"}\n\n',
      "Agent crashed",
    ],
    [
      "an error before [DONE], under a type of JSON",
      json,
      'data: {"error":{"message":"quota exceeded"}}\n\ndata: [DONE]\n\n',
      "quota exceeded",
    ],
  ])("is a failure: %s", async (_name, type, text, message) => {
    expect((await read(text, type))?.message).toContain(message);
  });

  it.each<[string, string, string]>([
    [
      "tokens and [DONE]",
      events,
      'data: {"choices":[{"delta":{"content":"Hel"}}]}\n\ndata: [DONE]\n\n',
    ],
    [
      "an error that is not the last event",
      events,
      'data: {"error":{"message":"retrying"}}\n\ndata: {"ok":true,"id":1}\n\n',
    ],
    [
      "an answer that was cut off",
      events,
      'event: response.incomplete\ndata: {"type":"response.incomplete","response":{"id":"resp_1","status":"incomplete","error":null,"incomplete_details":{"reason":"max_output_tokens"},"output":[]}}\n\n',
    ],
    [
      "an event whose record failed",
      events,
      'event: build\ndata: {"id":1,"type":"build","status":"failed","error":null}\n\n',
    ],
    [
      "an event whose name says that a record failed",
      events,
      'event: build.failed\ndata: {"build":7,"message":"exit 1"}\n\n',
    ],
    ["an event of a record in a text", events, "event: build.failed\ndata: build 7\n\n"],
    [
      "an event about a record and its error",
      events,
      'data: {"id":"evt_1","type":"charge.failed","error":{"message":"card declined"}}\n\n',
    ],
    [
      "a job with its error",
      events,
      'data: {"id":7,"status":"failed","error":{"message":"disk full"}}\n\n',
    ],
    [
      "a row of a log of errors by name",
      events,
      'event: log.error\ndata: {"at":"x","message":"disk full"}\n\n',
    ],
    [
      "an error before other lines",
      lines,
      '{"id":1}\n{"error":"not found","message":"no 2"}\n{"id":3}\n',
    ],
    [
      "the last row of a guarded list",
      json,
      `)]}',\n[{"id":1},{"status":"error","message":"late"}]`,
    ],
    [
      "the last row of a list within a string",
      json,
      JSON.stringify('[{"id":1},{"status":"error","message":"late"}]'),
    ],
    [
      "a to-do at the end",
      lines,
      '{"title":"a","status":"open"}\n{"title":"b","status":"failed"}\n',
    ],
    [
      "a log of errors",
      lines,
      '{"type":"info","message":"a"}\n{"type":"error","message":"b","at":1}\n',
    ],
    [
      "lines of a log",
      lines,
      '{"level":"info","message":"a"}\n{"level":"error","message":"b","at":"x"}\n',
    ],
    ["a list whose last row is an error", json, '[{"id":1},{"error":"none yet"}]'],
    [
      "a record that has an error",
      lines,
      '{"id":1,"error":null}\n{"id":2,"error":"x","state":"failed"}\n',
    ],
  ])("is data: %s", async (_name, type, text) => {
    expect(await read(text, type)).toBeUndefined();
  });
});

describe("a batch", () => {
  it.each<[string, string, object]>([
    // learn.microsoft.com, "Combine multiple requests in one HTTP call using JSON batching".
    [
      "Graph's responses",
      '{"responses":[{"id":"1","status":404,"body":{"error":{"code":"NotFound","message":"gone"}}},{"id":"2","status":404,"body":{"error":{"code":"NotFound","message":"gone"}}}]}',
      { category: "not_found", message: "gone" },
    ],
    // elastic.co, "Bulk API".
    [
      "Elasticsearch's items",
      '{"took":3,"errors":true,"items":[{"index":{"_id":"1","status":400,"error":{"type":"mapper_parsing_exception","reason":"failed to parse"}}}]}',
      { message: "failed to parse" },
    ],
    // docs.influxdata.com, "InfluxDB API".
    [
      "InfluxDB's results",
      '{"results":[{"statement_id":0,"error":"database not found: x"}]}',
      { message: "database not found: x" },
    ],
    // jsonrpc.org, section 6, "Batch".
    [
      "JSON-RPC",
      '[{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"Method not found"}}]',
      { category: "not_found", message: "Method not found" },
    ],
    // docs.aws.amazon.com, Amazon SQS API, SendMessageBatch.
    [
      "SQS",
      '{"Failed":[{"Id":"a","Code":"InvalidMessageContents","Message":"bad characters","SenderFault":true}],"Successful":[]}',
      { message: "bad characters", code: "InvalidMessageContents" },
    ],
    // docs.aws.amazon.com, Amazon Kinesis API, PutRecords.
    [
      "Kinesis",
      '{"FailedRecordCount":1,"Records":[{"ErrorCode":"ProvisionedThroughputExceededException","ErrorMessage":"Rate exceeded"}]}',
      { category: "rate_limited", message: "Rate exceeded" },
    ],
    // developer.salesforce.com, REST API, "sObject Collections".
    [
      "Salesforce's collection",
      '[{"success":false,"errors":[{"statusCode":"DUPLICATES_DETECTED","message":"Use one of these records?","fields":[]}]}]',
      { message: "Use one of these records?" },
    ],
  ])("all of whose members failed is a failure: %s", async (_name, text, error) => {
    expect(await read(text, json, { request: write })).toMatchObject(error);
  });

  it.each([
    '{"responses":[{"id":"1","status":404,"body":{"error":{"message":"gone"}}}]}',
    '{"errors":true,"items":[{"get":{"status":404,"error":{"reason":"gone"}}}]}',
    '{"results":[{"statement_id":0,"error":"database not found: x"}]}',
    '[{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"Method not found"}}]',
  ])("is one under a GET where the response says so: %s", async (text) => {
    expect(await read(text, json)).toBeDefined();
  });

  it.each([
    '[{"id":1,"success":false,"errors":["row 3: no e-mail"]}]',
    '{"id":7,"failed":[{"row":1,"error":"no e-mail"}],"succeeded":[]}',
    '{"failedCount":2,"tests":[{"name":"a","error":"1 != 2"},{"name":"b","error":"late"}]}',
    '{"responses":[{"at":"2026-01-01","status":503},{"at":"2026-01-02","status":500}]}',
    '{"results":[{"url":"https://a.example","error":"timeout"}]}',
    '[{"id":1,"status":"failed","error":"disk full"}]',
    '{"jobs":[{"id":1,"status":"failed","error":{"message":"disk full"}}]}',
    '{"status":"failed"}',
    '{"id":1,"title":"Call Bob","status":"failed"}',
  ])("is none where a GET reads what failed before: %s", async (text) => {
    expect(await read(text, json)).toBeUndefined();
  });

  // developers.google.com, "Batching requests"; OData 4.01 part 1, section 11.7.
  it("in parts is a failure where each response is one", async () => {
    const part = (status: string, body: string) =>
      `--batch_1\r\nContent-Type: application/http\r\nContent-ID: <response-1>\r\n\r\nHTTP/1.1 ${status}\r\nContent-Type: application/json\r\n\r\n${body}\r\n`;
    const failed = part("404 Not Found", '{"error":{"code":404,"message":"File not found: 1."}}');
    const readParts = (parts: string) =>
      read(`${parts}--batch_1--\r\n`, "multipart/mixed; boundary=batch_1");
    expect(await readParts(failed)).toMatchObject({
      category: "not_found",
      message: "File not found: 1.",
    });
    expect(await readParts(failed + part("200 OK", "{}"))).toBeUndefined();
  });

  it("under 207 is a failure where each member failed, and data where one did not", async () => {
    const failed = '{"id":"1","status":409,"message":"exists"}';
    expect(await read(`[${failed},${failed}]`, json, { status: 207 })).toMatchObject({
      message: "exists",
    });
    expect(
      await read(`[${failed},{"id":"2","status":201}]`, json, { status: 207 }),
    ).toBeUndefined();
  });

  it.each([
    '{"responses":[{"id":1,"status":"failed"}]}',
    '{"attempts":[{"id":1,"success":false},{"id":2,"success":false}]}',
    '{"responses":[]}',
    '[{"code":404,"name":"Not Found"}]',
    '{"failed":[{"id":1,"error":"x"}],"running":[]}',
    '{"Failed":[{"Id":"a","Code":"InternalError"}],"Successful":[{"Id":"b"}]}',
  ])("is no list of records: %s", async (text) => {
    expect(await read(text, json, { request: write })).toBeUndefined();
  });
});

describe("codes of an API", () => {
  it.each<[string, number, string, string, object]>([
    // cloud.tencent.com, "Response": the part before the dot is the kind.
    [
      "Tencent",
      200,
      json,
      '{"Response":{"Error":{"Code":"AuthFailure.SignatureFailure","Message":"no"},"RequestId":"x"}}',
      { category: "unauthorized" },
    ],
    [
      "Tencent's resource",
      200,
      json,
      '{"Response":{"Error":{"Code":"ResourceNotFound.Disk","Message":"no"},"RequestId":"x"}}',
      { category: "not_found" },
    ],
    // docs.aws.amazon.com, EC2, "Error codes for the Amazon EC2 API".
    [
      "AWS",
      400,
      "text/xml",
      "<Response><Errors><Error><Code>InvalidInstanceID.NotFound</Code><Message>no i-1</Message></Error></Errors></Response>",
      { category: "not_found", message: "no i-1" },
    ],
    [
      "AWS' server",
      400,
      json,
      '{"code":"Client.RequestLimitExceeded","message":"slow"}',
      { category: "rate_limited", retryable: true },
    ],
    // developers.deezer.com/api/errors.
    [
      "Deezer's quota",
      200,
      json,
      '{"error":{"type":"Exception","message":"Quota limit exceeded","code":4}}',
      { category: "rate_limited" },
    ],
    [
      "Deezer's token",
      200,
      json,
      '{"error":{"type":"OAuthException","message":"Invalid OAuth access token.","code":300}}',
      { category: "unauthorized" },
    ],
    [
      "Deezer's parameter",
      200,
      json,
      '{"error":{"type":"ParameterException","message":"Wrong parameter","code":500}}',
      { category: "validation", retryable: false },
    ],
    [
      "Deezer's missing parameter",
      200,
      json,
      '{"error":{"type":"MissingParameterException","message":"Missing","code":501}}',
      { category: "validation" },
    ],
    [
      "Deezer's data",
      200,
      json,
      '{"error":{"type":"DataException","message":"no data","code":800}}',
      { category: "not_found" },
    ],
    // docs.anthropic.com, "Errors": the types without their statuses, as a stream has them.
    [
      "Anthropic's load",
      200,
      events,
      'event: error\ndata: {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}\n\n',
      { category: "server_error", retryable: true },
    ],
    [
      "Anthropic's permission",
      200,
      events,
      'event: error\ndata: {"type":"error","error":{"type":"permission_error","message":"no"}}\n\n',
      { category: "forbidden" },
    ],
    // cloud.google.com, "Errors": `reason` of ErrorInfo.
    [
      "Google's key",
      400,
      json,
      '{"error":{"code":400,"message":"API key not valid.","status":"INVALID_ARGUMENT","details":[{"@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":"API_KEY_INVALID","domain":"googleapis.com"}]}}',
      { category: "unauthorized" },
    ],
    [
      "Google's limit",
      403,
      json,
      '{"error":{"code":403,"message":"x","errors":[{"domain":"usageLimits","reason":"userRateLimitExceeded"}]}}',
      { category: "rate_limited" },
    ],
    // developers.arcgis.com, "Token required".
    [
      "ArcGIS",
      200,
      json,
      '{"error":{"code":499,"message":"Token Required","details":[]}}',
      { category: "unauthorized" },
    ],
    [
      "a proxy that gave up",
      499,
      "text/html",
      "<html><title>499</title></html>",
      { category: "timeout", retryable: true },
    ],
    [
      "a request that came too early",
      425,
      json,
      '{"message":"Too Early"}',
      { category: "server_error", retryable: true, hint: expect.stringContaining("Send it again") },
    ],
    // developers.deepl.com, "Error handling".
    [
      "DeepL",
      456,
      json,
      '{"message":"Quota exceeded"}',
      {
        category: "rate_limited",
        retryable: false,
        hint: expect.stringContaining("Don't repeat the call"),
      },
    ],
    [
      "OpenAI",
      400,
      json,
      '{"error":{"message":"Billing hard limit has been reached","type":"invalid_request_error","code":"billing_hard_limit_reached"}}',
      { category: "rate_limited", retryable: false },
    ],
    [
      "a payment",
      402,
      json,
      '{"error":{"code":"insufficient_quota","message":"no"}}',
      { hint: expect.stringContaining("tell the user") },
    ],
    [
      "XML with a code in an attribute",
      400,
      "text/xml",
      '<error code="5">No</error>',
      { code: "5", message: "No" },
    ],
    // elevenlabs.io/docs, "Error messages": a spent quota has the status of a missing key.
    [
      "ElevenLabs",
      401,
      json,
      '{"detail":{"status":"quota_exceeded","message":"This request exceeds your quota."}}',
      { category: "rate_limited", message: "This request exceeds your quota." },
    ],
    // open.dingtalk.com, "Server API error codes"; opendocs.alipay.com, "Common error codes".
    [
      "DingTalk",
      200,
      json,
      '{"errcode":88,"errmsg":"ding talk error","sub_code":"60011","sub_msg":"no permission"}',
      { code: "88", message: "ding talk error; no permission" },
    ],
    // cloud.google.com/apis/design/errors; docs.aws.amazon.com, "DynamoDB errors"; alibabacloud.com, "Common errors"; learn.microsoft.com, Graph errors.
    [
      "AWS' namespace",
      400,
      "application/x-amz-json-1.0",
      '{"__type":"com.amazonaws.dynamodb.v20120810#ProvisionedThroughputExceededException","message":"x"}',
      { category: "rate_limited", code: "ProvisionedThroughputExceededException" },
    ],
    [
      "Alibaba's limit of a user",
      400,
      json,
      '{"Code":"Throttling.User","Message":"x","RequestId":"r"}',
      { category: "rate_limited", code: "Throttling.User" },
    ],
    [
      "Graph's prefix",
      400,
      json,
      '{"error":{"code":"Request_ResourceNotFound","message":"x"}}',
      { category: "not_found" },
    ],
    // OGC 06-121r9, section 8.3: ExceptionText may be repeated; OGC 12-006, SOS over SOAP.
    [
      "OGC's texts",
      200,
      "text/xml",
      '<ows:ExceptionReport><ows:Exception exceptionCode="InvalidParameterValue"><ows:ExceptionText>one</ows:ExceptionText><ows:ExceptionText>two</ows:ExceptionText></ows:Exception></ows:ExceptionReport>',
      { code: "InvalidParameterValue", message: "one; two" },
    ],
    [
      "OGC in a SOAP fault",
      400,
      "application/soap+xml",
      '<s:Envelope><s:Body><s:Fault><s:Code><s:Value>s:Sender</s:Value></s:Code><s:Reason><s:Text>Exception</s:Text></s:Reason><s:Detail><ows:ExceptionReport><ows:Exception exceptionCode="MissingParameterValue" locator="service"><ows:ExceptionText>service missing</ows:ExceptionText></ows:Exception></ows:ExceptionReport></s:Detail></s:Fault></s:Body></s:Envelope>',
      { code: "MissingParameterValue", message: "service missing" },
    ],
    // OGC 06-121r9, section 8; OGC 06-042, WMS.
    [
      "OGC",
      400,
      "text/xml",
      '<ows:ExceptionReport version="2.0.0"><ows:Exception exceptionCode="InvalidParameterValue" locator="service"><ows:ExceptionText>Service WFX is unknown.</ows:ExceptionText></ows:Exception></ows:ExceptionReport>',
      { code: "InvalidParameterValue", message: "Service WFX is unknown.", category: "validation" },
    ],
    [
      "WMS",
      200,
      "text/xml",
      '<ServiceExceptionReport version="1.3.0"><ServiceException code="LayerNotDefined">Layer x</ServiceException></ServiceExceptionReport>',
      { code: "LayerNotDefined", message: "Layer x" },
    ],
  ])("mean what the API documents: %s", async (_name, status, type, text, expected) => {
    expect(await read(text, type, { status })).toMatchObject(expected);
  });
});

describe("a rule of the record's errorWhen", () => {
  const body = '{"id":4,"outcome":"LOCKED","message":"E 17"}';
  it("gives the failure its category and its message, and repeats by the rules for writes", async () => {
    const errorRule = { when: "x", category: "server_error", message: "Another user edits it." };
    const read200 = (method: string) =>
      read(body, json, {
        errorRule,
        request: { method, path: "/x", url: "https://api.example.com/x" },
      });
    expect(await read200("GET")).toMatchObject({
      category: "server_error",
      message: "Another user edits it.",
      retryable: true,
    });
    expect(await read200("POST")).toMatchObject({ retryable: false });
    expect(await read(body, json, { errorRule: { when: "x" } })).toMatchObject({
      category: "bad_request",
      message: "E 17",
    });
  });
});
