/** The last check before a credential is attached: is this request still going where the credential belongs? */

import type { InternalAxiosRequestConfig } from "axios";
import { ApiSourceError } from "../errors.js";

/**
 * Lets a request pass when its origin is the source's.
 *
 * The wall has judged the URL before; this stands inside the interceptor so that no way around the wall (a redirect, a
 * later interceptor, a changed default) can take the credential elsewhere.
 *
 * @throws ApiSourceError `refused_by_policy` for any other origin, a relative URL, or a `baseURL` beside it.
 */
export function assertOrigin(config: InternalAxiosRequestConfig, origin: string): void {
  const { url = "", baseURL } = config;
  // An origin and then a slash is that origin to every parser.
  const isSame = url.startsWith(`${origin}/`) || (URL.canParse(url) && new URL(url).origin === origin);
  if (!isSame || baseURL !== undefined) {
    throw new ApiSourceError({
      message: `A request to another origin than ${origin} was stopped before the credential was attached.`,
      category: "refused_by_policy",
      hint: "Call only paths below the source's base URL.",
    });
  }
}
