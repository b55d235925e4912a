/** The names under which APIs write the parts of an error, as `normalizeKey` writes them, and words that are no message and no code. */

function splitAtSpaces(text: string): readonly string[] {
  return text.split(" ");
}

/** A `title` comes before its detail. */
export const titleKeys: readonly string[] = splitAtSpaces("title summary");
/** Texts, best first. */
export const proseKeys: readonly string[] = splitAtSpaces(
  "errordescription longmessage message errormessage errormsg errmsg submsg msg detail description errorsummary statusmessage " +
    "faultstring defaultmessage diagnostics details text exceptiontext errors",
);
/** Texts that often are codes (`invalid_grant`): a code when there is another text. */
export const eitherKeys: readonly string[] = splitAtSpaces(
  "error err reason issue exception fault info",
);
/** Codes, most specific first. */
export const codeKeys: readonly string[] = splitAtSpaces(
  "code errorcode errcode errno errorname statuscode exceptioncode faultcode error err reason issue type errortype name status " +
    "category exception fault",
);
/** Keys whose values become the message or the codes. */
export const messageKeys: readonly string[] = [
  ...titleKeys,
  ...proseKeys,
  ...eitherKeys,
  ...codeKeys,
];
export const codeLike: RegExp = /^[\p{L}\p{N}_.:#/\\-]+$/u;
/** Words that report a failure but not which; AWS and SOAP name with the last three the side that caused it. */
export const stateWord: RegExp =
  /^(?:error|fail|failed|failure|false|nok|ok|success|user|sender|receiver)$/i;
/** Objects and lists to look into, in this order. */
export const partKeys: readonly string[] = splitAtSpaces(
  "envelope body fault errorresponse exceptionreport serviceexceptionreport serviceexception response error err exception status meta errors messages message errormessages " +
    "errordetails fielderrors fieldviolations validationerrors violations invalidparams modelstate usererrors errorlist " +
    "problems issues issue detail details causes errorcauses rootcause extensions errorchain innererror " +
    "responsemetadata responsestatus elements",
);
/** Scalars that repeat the request or the status; every other scalar of an error object is kept as a particular. */
export const noiseKeys: ReadonlySet<string> = new Set([
  ...messageKeys,
  ...splitAtSpaces(
    "timestamp time date path instance ok success httpstatus httpcode version apiversion object jsonrpc id method url xmlns " +
      "soap env xsi took response stat ack build resultcode shortmessage haserrors iserror file line stack stacktrace trace traceback",
  ),
]);
/** Members that name the field wherever an error has them, and those that name it only in a list of errors. */
export const fieldKeys: readonly string[] = splitAtSpaces(
  "param parameter field fieldname propertyname target attribute",
);
export const listedFieldKeys: readonly string[] = splitAtSpaces(
  "fields property propertypath attr loc pointer instancepath expression",
);
/** Parts whose members are keyed by field when they are not an error themselves. */
export const fieldMapKeys: RegExp =
  /^(?:(?:field|validation)?errors|error|messages?|details?|modelstate|violations|issues|params|fields)$/;
/** Names under which an API files errors that belong to no field. */
export const generalKeys: RegExp = /^(?:nonfielderrors|base|all|general|global|errors|detail)$/;
/** Lists that usually are data: read only when nothing else has a text. */
export const dataKeys: RegExp = /^(?:data|results?|warnings)$/i;
