/** Visits the members of a parsed body, widest first and only so many: an error body says when to come back near its top. */

/** How many values are visited at most, and how many members of one object or array. */
const maxValues = 2_000;
const maxMembers = 100;

/** A number that keeps more digits than a double is an object that stands for one (`ExactNumber`); anything else stays. */
export function toNumberOrSelf(value: unknown): unknown {
  const stands = typeof value === "object" && value !== null && typeof value.valueOf === "function";
  return stands ? value.valueOf() : value;
}

/**
 * Calls `visit` with each key and value, breadth first, until it returns something other than undefined.
 *
 * @returns what `visit` returned; undefined when the walk ended without it. Depth costs nothing: the walk has no recursion.
 */
export function walkBody<Found>(
  body: unknown,
  visit: (key: string, value: unknown) => Found | undefined,
): Found | undefined {
  const queue: (readonly [key: string, value: unknown])[] = [["", body]];
  for (let index = 0; index < queue.length && index < maxValues; index += 1) {
    const [key, value] = queue[index] ?? ["", undefined];
    const found = visit(key, value);
    if (found !== undefined) return found;
    if (typeof value !== "object" || value === null) continue;
    // An element goes by its array's key: `errors: ["try again in 5 s"]`.
    if (Array.isArray(value)) for (const element of value.slice(0, maxMembers)) queue.push([key, element]);
    else queue.push(...Object.entries(value).slice(0, maxMembers));
  }
  return undefined;
}
