/** Which of some names was meant by one that isn't among them. */

/** How much of a name may differ: a third of its letters, and one in a short one. */
const tolerance = 0.34;
const maxLetters = 60;

/** The nearest of the names: the same in another spelling, a few letters off, or one that has the other in it. */
export function findNearestName(given: string, names: Iterable<string>): string | undefined {
  let best: { readonly name: string; readonly distance: number } | undefined;
  for (const name of names) {
    const distance = measureName(given, name);
    if (best === undefined || distance < best.distance) best = { name, distance };
  }
  return best !== undefined && best.distance < 1 ? best.name : undefined;
}

/** From 0, the same, to 1, another. */
export function measureName(one: string, other: string): number {
  if (one === other) return 0;
  const [left, right] = [fold(one), fold(other)];
  if (left === right) return 0.05;
  const longest = Math.max(left.length, right.length);
  if (longest > maxLetters || longest === 0) return 1;
  const shorter = Math.min(left.length, right.length);
  // `user` in `user_id`, `issue` in `issues`.
  if (shorter >= 3 && (left.includes(right) || right.includes(left)))
    return 0.3 + 0.5 * (1 - shorter / longest);
  if (longest - shorter > Math.max(1, longest * tolerance)) return 1;
  const distance = measureLetters(left, right);
  return distance <= Math.max(1, longest * tolerance) ? 0.1 + distance / (longest + 1) : 1;
}

function fold(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
}

/** The fewest letters inserted, left out, changed or swapped with their neighbour. */
function measureLetters(left: string, right: string): number {
  let before: number[] = [];
  let previous = Array.from({ length: right.length + 1 }, (_, column) => column);
  for (let row = 1; row <= left.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= right.length; column += 1) {
      const isSame = left[row - 1] === right[column - 1];
      let least = Math.min(
        (previous[column - 1] ?? 0) + (isSame ? 0 : 1),
        (previous[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
      );
      const isSwapped = left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1];
      if (isSwapped && row > 1 && column > 1) least = Math.min(least, (before[column - 2] ?? 0) + 1);
      current.push(least);
    }
    before = previous;
    previous = current;
  }
  return previous.at(-1) ?? 0;
}
