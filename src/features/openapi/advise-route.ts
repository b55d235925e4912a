/** What an API's document has in place of a path or a method that it does not have. */

import { plural, quoteText } from "../../core/base/text.js";
import type { Description } from "./knowledge.js";
import { findNearestRoutes } from "./nearest.js";

/** What a document knows about a call that was refused. */
export interface Advice {
  readonly kind: "unknown_path" | "wrong_method" | "placeholder" | "unknown" | "missing" | "type" | "enum";
  /** Where: `path`, `method`, `{id}`, a parameter's name, or a place in the body such as `body.lines[0].amount`. */
  readonly at: string;
  readonly message: string;
  /** What exists instead. */
  readonly hint: string;
}

/** What is described instead of an operation that is not. */
export function adviseRoute(
  { match, listed }: Description,
  { method, path }: { readonly method: string; readonly path: string },
): Advice {
  const shown = quoteText(path, 200);
  const own = match(path)
    .flatMap(({ routes }) => routes)
    .filter((route) => listed.includes(route));
  const [first] = own;
  if (first === undefined) {
    const near = findNearestRoutes(listed, path, method).map((route) => `${route.method} ${route.path}`);
    return {
      kind: "unknown_path",
      at: "path",
      message: `${shown} is not in the API's OpenAPI document (${plural(listed.length, "operation")}).`,
      hint: near.length === 0 ? "Choose a described path." : `Nearest: ${near.join(", ")}.`,
    };
  }
  const methods = [...new Set(own.map((each) => each.method))].join(", ");
  const others = listed.filter((route) => route.method === method && route.path !== first.path);
  const near = findNearestRoutes(others, path, method).map((route) => route.path);
  const instead = near.length === 0 ? "" : ` ${method} is described for ${near.join(" and ")}.`;
  return {
    kind: "wrong_method",
    at: "method",
    message: `${shown} does not have ${method}.`,
    hint: `${first.path} has ${methods}.${instead}`,
  };
}
