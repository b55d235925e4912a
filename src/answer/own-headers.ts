/** Which response headers the API itself defines, such as `X-Export-Id`: those that no framework, proxy, cache or tracer adds. */

import type { ResponseHeaders } from "../limits/rate-limit.js";

/**
 * What others add: security policies, frameworks and their versions, proxies and content delivery networks, caches, tracing and request
 * ids, timing. Quotas and totals have members of their own in an answer.
 */
const addedByOthers =
  /^x-(?:accel|amz|amzn|app-version|aspnet|azure|b3|backend|cache|cdn|cloud-trace|content-type-options|correlation|dns-prefetch|download-options|drupal|edge|envoy|execution|fastly|forwarded|fram|generator|goog|hits|host|iinfo|instance|kong|ms|msedge|node|origin|permitted|pingback|powered|process|proxy|ratelimit|rate-limit|real-ip|redirect-by|req|request|response-time|retry|robots|runtime|server|served|slack-backend|sucuri|timer|total|trace|transaction|ua|upstream|varnish|vercel|version|vcap|via|webkit|wp-total|xss)/;

/** More of them are not shown, and longer values are not. */
const maxShown = 5;
const maxValueCharacters = 100;

/** @returns Names that begin with `x-` and are not those of a framework, proxy or cache; at most five, in the order of the response. */
export function listOwnHeaders(headers: ResponseHeaders): string[] {
  return Object.entries(headers)
    .filter(([name, value]) => {
      const isShort = typeof value === "string" && value !== "" && value.length <= maxValueCharacters;
      return isShort && name.startsWith("x-") && !addedByOthers.test(name);
    })
    .map(([name]) => name)
    .slice(0, maxShown);
}
