/** The paths that an API answered a GET at, for a hint about a path below one of them that does not exist. */

import type { BuiltRequest } from "../request/wire-request.js";

export interface AnsweredPaths {
  /** Notes how a request was answered. @returns after a 404 the nearest path above that was answered before. */
  note(built: BuiltRequest, status: number): string | undefined;
}

/** How many paths are remembered; the oldest are forgotten first. */
const maxAnswered = 200;

export function createAnsweredPaths(): AnsweredPaths {
  const paths = new Set<string>();
  return {
    note({ method, url: { path } }, status) {
      if (status === 404) {
        const segments = path.split("/");
        const above = segments.map((_, length) => segments.slice(0, length).join("/"));
        return above.findLast((each) => each !== "" && paths.has(each));
      }
      if (method !== "GET" || status !== 200) return undefined;
      paths.add(path);
      const [oldest = path] = paths;
      if (paths.size > maxAnswered) paths.delete(oldest);
      return undefined;
    },
  };
}
