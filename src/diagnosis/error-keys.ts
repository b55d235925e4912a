/** Which keys of an error body hold its text, its code, its parts, and what is only noise; all as `normalizeKey` writes them. */

function listWords(text: string): readonly string[] {
  return text.split(" ");
}

/** A `title` stands before what it heads. */
export const titleKeys: readonly string[] = listWords("title summary");

/** Texts, best first. */
export const proseKeys: readonly string[] = listWords(
  "errordescription message errormessage errormsg errmsg msg detail description errorsummary statusmessage " +
    "usermessage exceptionmessage faultstring defaultmessage diagnostics details text errors",
);

/** Texts that often are codes (`invalid_grant`): a code when another text stands beside it. */
export const proseOrCodeKeys: readonly string[] = listWords("error err reason issue exception fault info");

/** Codes, most specific first. */
export const codeKeys: readonly string[] = listWords(
  "code errorcode errcode errno statuscode faultcode errorkey error err reason issue type errortype name status " +
    "category exception fault",
);

/** Objects and lists to look into, in this order. */
export const partKeys: readonly string[] = listWords(
  "envelope body fault errorresponse response rsp odataerror error err exception apierror status meta header errors " +
    "messages message errormessages errordetails fielderrors fieldviolations validationerrors violations invalidparams " +
    "invalidfields modelstate usererrors errorlist problems issues issue detail details causes errorcauses rootcause " +
    "extensions innererror responsemetadata exceptionreport serviceexceptionreport serviceexception elements",
);

/** Parts that usually are data: looked into only when nothing else said anything. */
export const latePartKeys: readonly string[] = listWords("data result results warnings");

/** Parts whose members are keyed by field when they don't look like an error themselves. */
export const fieldMapKeys: ReadonlySet<string> = new Set(
  listWords(
    "errors error message messages detail details fielderrors validationerrors invalidfields modelstate violations " +
      "issues data params fields",
  ),
);

/** Names under which an API files errors that belong to no field. */
export const generalFieldKeys: ReadonlySet<string> = new Set(
  listWords("nonfielderrors base all general global errors detail"),
);

/** Where frameworks put the stack of an error. */
export const traceKeys: ReadonlySet<string> = new Set(
  listWords("stack stacktrace trace traces traceback backtrace"),
);

/** Scalars that help nobody decide; every other scalar of an error object is kept as a particular. */
export const noiseKeys: ReadonlySet<string> = new Set(
  listWords(
    "timestamp time date path instance requestid traceid correlationid fbtraceid debugid errorid ok success status " +
      "statuscode httpstatus httpcode hostid version apiversion object jsonrpc id method url xmlns soap env xsi took " +
      "response stat domain file line",
  ),
);

/** Lists under these keys are of errors; under any other key of a bare map they are one field's. */
export const errorListKeys: ReadonlySet<string> = new Set(
  listWords(
    "errors error err message messages errormessages detail details violations issues problems causes errorlist " +
      "fielderrors validationerrors usererrors invalidparams results data items warnings",
  ),
);

/** HTTP reason phrases (RFC 9110, section 15): they add nothing where another text stands. */
export const reasonPhrase: RegExp =
  /^(?:bad request|unauthorized|payment required|forbidden|not found|method not allowed|not acceptable|conflict|gone|precondition failed|(?:payload|content|request entity) too large|unsupported media type|unprocessable (?:entity|content)|too many requests|internal server error|bad gateway|service unavailable|gateway timeout)\.?$/i;
