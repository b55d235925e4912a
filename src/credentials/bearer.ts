/** authType `bearer`: `Authorization: <scheme> <token>` (RFC 6750 section 2.1), or the bare token without a scheme. */

import { assertOrigin } from "./assert-origin.js";
import type { RequestInterceptor } from "./request-interceptor.js";

export interface BearerAuth {
  readonly origin: string;
  readonly token: string;
  /** `""` sends the bare token. */
  readonly scheme: string;
}

export function createBearerInterceptor({ origin, token, scheme }: BearerAuth): RequestInterceptor {
  const value = scheme === "" ? token : `${scheme} ${token}`;
  return function attachBearer(config) {
    assertOrigin(config, origin);
    config.headers.set("Authorization", value, true);
    return config;
  };
}
