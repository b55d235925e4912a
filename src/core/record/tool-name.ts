/** How a source gets the name that its tool is called by. */

import type { Problem } from "./problem.js";

/** What every provider takes: OpenAI `[a-zA-Z0-9_-]{1,64}`, Gemini wants a letter or `_` in front. */
export const toolNamePattern: RegExp = /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/;

/** The toolkit's own tools have these names, so that no source can: one reads kept responses, one describes endpoints. */
export const reservedToolNames: readonly string[] = ["read_api_response", "describe_api"];

/** The longest name that every provider takes. */
const maxLength = 64;

/**
 * Makes a tool's name of an API's: compatibility forms and accents undone (Unicode NFKD), in lower case, everything
 * but ASCII letters and digits to one `_`, `api_` in front of a leading digit, at most 64 characters.
 * `""` when nothing is left, as of a name in Chinese: such a source needs a `slug`.
 */
export function createToolName(name: string): string {
  const words = name
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .match(/[a-z0-9]+/g);
  if (!words) return "";
  const joined = words.join("_");
  const named = /^[0-9]/.test(joined) ? `api_${joined}` : joined;
  return named.slice(0, maxLength).replace(/_$/, "");
}

/** Judges a `slug` that a record gives. */
export function findSlugProblem(slug: string): Problem | undefined {
  if (!toolNamePattern.test(slug)) return { message: "is not a tool name that every model provider accepts" };
  if (!reservedToolNames.includes(slug)) return undefined;
  return { message: "is the name of a tool of the toolkit itself", fix: "Choose another `slug`." };
}

/** Judges the `name` of a record that gives no `slug`. */
export function findNameProblem(name: string): Problem | undefined {
  const toolName = createToolName(name);
  const fix = 'Add a `slug` to the record, such as "slug": "my_api".';
  if (toolName === "") return { message: "leaves nothing to name the tool by", fix };
  if (reservedToolNames.includes(toolName)) {
    return { message: `makes the tool's name "${toolName}", which a tool of the toolkit itself has`, fix };
  }
  return undefined;
}
