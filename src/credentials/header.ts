/** authType `header`: the token as the whole value of a named header. */

import { assertOrigin } from "./assert-origin.js";
import type { RequestInterceptor } from "./request-interceptor.js";

export interface HeaderAuth {
  readonly origin: string;
  readonly token: string;
  readonly headerName: string;
}

export function createHeaderInterceptor({ origin, token, headerName }: HeaderAuth): RequestInterceptor {
  return function attachHeader(config) {
    assertOrigin(config, origin);
    config.headers.set(headerName, token, true);
    return config;
  };
}
