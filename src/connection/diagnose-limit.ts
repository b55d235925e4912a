/** An API that is there but can't answer now: a spent quota, or a failure of its own. */

import { describeWait } from "./describe-wait.js";
import type { Finding } from "./finding.js";
import { type Reading, tellAnswer, toFinding } from "./reading.js";

/** Words by which a limit tells whom it counts. */
const countsAddress =
  /for (?:your |this )?(?:ip|address|\d{1,3}\.\d{1,3}\.)|unauthenticated|anonymous|authenticated requests get|without (?:an? )?(?:api key|token|credential)|log ?in to|sign up/i;
const countsCredential =
  /for (?:this |your )?(?:user|account|api key|key|token|app|client|organi[sz]ation|project)\b|your (?:plan|account|subscription|api key|quota|organi[sz]ation)/i;

export function diagnoseRateLimit(reading: Reading): Finding {
  const { source, error, words } = reading;
  const wait = error.retryAfterSeconds;
  const authenticated =
    source.api.authType === undefined
      ? ""
      : countsAddress.test(words)
        ? " It counts this machine's address, so the credential was probably not seen: check it and `api.authType`."
        : countsCredential.test(words)
          ? " It counts the account, so the credential was recognised."
          : " Whether the credential is right can't be told from this answer.";
  return toFinding(
    "rate_limited",
    `${tellAnswer(reading)} The API is alive, but allows no more requests for now.${authenticated}`,
    `${wait === undefined ? "Test again in some minutes." : `Test again in ${describeWait(wait)}.`} To keep to the quota, set \`api.limits.requestsPerMinute\`.`,
  );
}

const later = "Nothing in the record helps; test again later, or look at the provider's status page.";

/** 52x and 530 are Cloudflare's for an origin it can't reach. */
const serverWords: Readonly<Record<number, readonly [what: string, fix: string]>> = {
  500: [
    "The API failed on this request.",
    "Try the same request in another client. If it fails there too, tell the provider; if not, compare the headers and the query with the curl line.",
  ],
  502: ["A gateway is there, but the API behind it did not answer properly.", later],
  503: ["The API is down for now, or overloaded.", later],
  504: ["A gateway is there, but the API behind it did not answer in time.", later],
  521: ["The CDN is there, but the API's own server refuses connections.", later],
  525: ["The CDN can't make a TLS connection to the API's own server.", later],
  526: ["The CDN does not accept the certificate of the API's own server.", later],
  530: [
    "The CDN can't find the API's own server.",
    "Check the host in `api.baseUrl`: it may be one that is not in use any more.",
  ],
};

export function diagnoseServerError(reading: Reading): Finding {
  const known = serverWords[reading.status];
  const [what, fix] = known ?? [
    reading.status >= 520
      ? "The CDN is there, but can't reach the API's own server."
      : "The API reports a failure of its own.",
    later,
  ];
  const wait = reading.error.retryAfterSeconds;
  return toFinding(
    "server_error",
    `${tellAnswer(reading)} ${what}`,
    wait === undefined ? fix : `Test again in ${describeWait(wait)}. ${fix}`,
  );
}
