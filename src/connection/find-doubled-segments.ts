/** A part of the path that stands at the end of the base URL and again at the beginning of the test endpoint. */

export interface DoubledSegments {
  /** Such as `/v1`. */
  readonly segments: string;
  /** The test endpoint without them, its query kept. */
  readonly rest: string;
}

/** The longest such part; undefined when there is none. Placeholders are compared as they are written. */
export function findDoubledSegments(baseUrl: string, testEndpoint: string): DoubledSegments | undefined {
  const [path = "", ...query] = testEndpoint.split("?");
  const base = splitPath(baseUrl.replace(/^https?:\/\/[^/]*/i, ""));
  const own = splitPath(path);
  for (let length = Math.min(base.length, own.length); length > 0; length -= 1) {
    const tail = base.slice(-length);
    if (tail.every((segment, index) => segment === own[index])) {
      const rest = `/${own.slice(length).join("/")}`;
      return { segments: `/${tail.join("/")}`, rest: [rest, ...query].join("?") };
    }
  }
  return undefined;
}

function splitPath(path: string): string[] {
  return path.split("/").filter((segment) => segment !== "");
}
