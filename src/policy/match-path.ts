/** Matches the segments of a path against those of a pattern, in time proportional to their product. */

/**
 * Whether the whole path matches: `**` is any number of segments, none included; `*` is one segment, or within a
 * longer segment any run of characters.
 */
export function matchPath(segments: readonly string[], pattern: readonly string[]): boolean {
  // reachable[i]: the pattern read so far can have consumed exactly i segments.
  let reachable: boolean[] = [true, ...segments.map(() => false)];
  for (const part of pattern) {
    reachable = part === "**" ? spread(reachable) : advance(reachable, segments, part);
  }
  return reachable[segments.length] === true;
}

function spread(reachable: readonly boolean[]): boolean[] {
  const first = reachable.indexOf(true);
  return reachable.map((_, index) => first !== -1 && index >= first);
}

function advance(reachable: readonly boolean[], segments: readonly string[], part: string): boolean[] {
  return reachable.map((_, index) => {
    const segment = segments[index - 1];
    return segment !== undefined && reachable[index - 1] === true && matchSegment(segment, part);
  });
}

/** An empty segment (of `a//b`) is no segment to `*`. */
function matchSegment(segment: string, part: string): boolean {
  if (!part.includes("*")) return segment === part;
  const [start = "", ...rest] = part.split("*");
  const end = rest.pop() ?? "";
  if (segment === "" || segment.length < start.length + end.length) return false;
  if (!segment.startsWith(start) || !segment.endsWith(end)) return false;
  return containsInOrder(segment.slice(start.length, segment.length - end.length), rest);
}

function containsInOrder(text: string, pieces: readonly string[]): boolean {
  let from = 0;
  for (const piece of pieces) {
    const found = text.indexOf(piece, from);
    if (found === -1) return false;
    from = found + piece.length;
  }
  return true;
}
