/** Which keys of an error body hold its text, its code, its parts, and what is only noise; all as `normalizeKey` writes them. */

/** Texts, best first; a `title` stands before what it heads. */
export const titleKeys: readonly string[] = ["title", "summary"];
export const textKeys: readonly string[] = [
  "errordescription",
  "message",
  "errormessage",
  "errormsg",
  "errmsg",
  "msg",
  "detail",
  "detailedmessage",
  "description",
  "errorsummary",
  "statusmessage",
  "statusdescription",
  "statustext",
  "usermessage",
  "developermessage",
  "localizedmessage",
  "responsemessage",
  "resultmessage",
  "longmessage",
  "exceptionmessage",
  "failuremessage",
  "userfriendlymessage",
  "faultstring",
  "reason",
  "details",
  "info",
  "issue",
  "text",
  "shortmessage",
  "hint",
  "errors",
  "error",
  "err",
  "fault",
  "serviceexception",
  "exception",
];

/** Text keys whose value is often a code (`invalid_grant`): a code when another text stands beside it. */
export const textOrCodeKeys: ReadonlySet<string> = new Set([
  "error",
  "err",
  "reason",
  "issue",
  "exception",
  "fault",
  "info",
]);

/** Codes, most specific first. */
export const codeKeys: readonly string[] = [
  "code",
  "errorcode",
  "errcode",
  "errno",
  "errorcodes",
  "statuscode",
  "cod",
  "faultcode",
  "exceptioncode",
  "errorkey",
  "errorname",
  "error",
  "err",
  "reason",
  "issue",
  "type",
  "errortype",
  "name",
  "status",
  "category",
  "exception",
  "keyword",
  "sqlstate",
  "rule",
  "fault",
];

/** Objects and lists to look into, in this order. */
export const partKeys: readonly string[] = [
  "envelope",
  "body",
  "fault",
  "errorresponse",
  "response",
  "rsp",
  "odataerror",
  "error",
  "err",
  "exception",
  "apierror",
  "servicefault",
  "requesterror",
  "status",
  "meta",
  "header",
  "responsestatus",
  "errors",
  "messages",
  "message",
  "errormessages",
  "errordetails",
  "fielderrors",
  "fieldviolations",
  "validationerrors",
  "validation",
  "violations",
  "constraintviolations",
  "invalidparams",
  "invalidparameters",
  "invalidfields",
  "modelstate",
  "usererrors",
  "errorlist",
  "problems",
  "issues",
  "detail",
  "details",
  "causes",
  "causedby",
  "rootcause",
  "extensions",
  "innererror",
  "responsemetadata",
  "exceptionreport",
  "serviceexceptionreport",
  "serviceexception",
  "exceptiontext",
  "parameters",
  "errorcodes",
  "elements",
  "params",
  "fields",
];

/** Parts that usually are data: looked into only when nothing else said anything. */
export const latePartKeys: readonly string[] = ["data", "result", "results", "properties", "warnings"];

/** Parts whose members are keyed by field when they don't look like an error themselves. */
export const fieldMapKeys: ReadonlySet<string> = new Set([
  "errors",
  "error",
  "message",
  "messages",
  "detail",
  "details",
  "fielderrors",
  "validationerrors",
  "validation",
  "invalidfields",
  "modelstate",
  "violations",
  "issues",
  "data",
  "params",
  "fields",
]);

/** Names under which an API files errors that belong to no field. */
export const generalFieldKeys: ReadonlySet<string> = new Set([
  "nonfielderrors",
  "base",
  "all",
  "general",
  "global",
  "errors",
  "detail",
]);

/** Where frameworks put the stack of an error. */
export const traceKeys: ReadonlySet<string> = new Set(
  "stack stacktrace stacktracestring remotestacktracestring trace traces traceback backtrace callstack".split(
    " ",
  ),
);
/** Where in its source an error was raised, beside a trace or as the path of a source file. */
export const placeKeys: ReadonlySet<string> = new Set(["file", "filename", "line", "linenumber", "column"]);

/** Scalars that help nobody decide; every other scalar of an error object is kept as a particular. */
export const noiseKeys: ReadonlySet<string> = new Set([
  ..."timestamp time date datetime path instance requestid traceid correlationid fbtraceid debugid errorid".split(
    " ",
  ),
  ..."eventid incidentid trace ok success successful issuccess status statuscode httpstatus".split(" "),
  ..."httpstatuscode httpcode hostid version apiversion object jsonrpc id lang method url uri logid xmlns".split(
    " ",
  ),
  ..."faultactor took xsi soap env node servertime elapsed creditcount extendedhelp spanid activityid".split(
    " ",
  ),
  ..."charset response stat domain".split(" "),
]);

/** HTTP reason phrases: they add nothing where another text stands. */
export const reasonPhrases: ReadonlySet<string> = new Set([
  "bad request",
  "unauthorized",
  "payment required",
  "forbidden",
  "not found",
  "method not allowed",
  "not acceptable",
  "request timeout",
  "conflict",
  "gone",
  "length required",
  "precondition failed",
  "payload too large",
  "content too large",
  "request entity too large",
  "unsupported media type",
  "unprocessable entity",
  "unprocessable content",
  "locked",
  "too many requests",
  "internal server error",
  "not implemented",
  "bad gateway",
  "service unavailable",
  "gateway timeout",
]);

/** Lists under these keys are of errors; under any other key of a bare map they are one field's. */
export const errorListKeys: ReadonlySet<string> = new Set([
  ..."errors error err message messages errormessages detail details violations issues problems causes".split(
    " ",
  ),
  ..."errorlist fielderrors validationerrors usererrors invalidparams results data items warnings".split(" "),
]);
