/** authType `basic`: `Authorization: Basic base64(username:password)` (RFC 7617), in UTF-8. */

import { assertOrigin } from "./assert-origin.js";
import type { RequestInterceptor } from "./request-interceptor.js";

export interface BasicAuth {
  readonly origin: string;
  readonly username: string;
  readonly password: string;
}

export function createBasicInterceptor({ origin, username, password }: BasicAuth): RequestInterceptor {
  // axios' own `auth` option would put the pair in plain text on the config, and so into anything that prints one.
  const value = `Basic ${Buffer.from(`${username}:${password}`, "utf8").toString("base64")}`;
  return function attachBasic(config) {
    assertOrigin(config, origin);
    config.headers.set("Authorization", value, true);
    return config;
  };
}
