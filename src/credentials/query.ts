/** authType `query`: the token as one query parameter. */

import { assertOrigin } from "./assert-origin.js";
import type { RequestInterceptor } from "./request-interceptor.js";

export interface QueryAuth {
  readonly origin: string;
  readonly token: string;
  readonly queryParam: string;
}

export function createQueryInterceptor({ origin, token, queryParam }: QueryAuth): RequestInterceptor {
  const pair = `${encodeURIComponent(queryParam)}=${encodeURIComponent(token)}`;
  return function attachQuery(config) {
    assertOrigin(config, origin);
    const { href } = new URL(config.url ?? "");
    // axios runs interceptors again on every retry, on the config of the attempt before: an own parameter that is there
    // already goes first. Done on the text, because `searchParams.set` would rewrite the bytes of all the others.
    const [path = "", query = ""] = splitOnce(href, "?");
    const others = query.split("&").filter((part) => part !== "" && part !== pair);
    config.url = `${path}?${[...others, pair].join("&")}`;
    return config;
  };
}

function splitOnce(text: string, separator: string): string[] {
  const at = text.indexOf(separator);
  return at === -1 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}
