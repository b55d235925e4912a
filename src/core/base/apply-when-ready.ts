/** Steps that rarely have something to wait for: a promise is made only where there is. */

/**
 * Applies the next step to a value: at once where the value is there, else when its promise is fulfilled.
 *
 * @returns what `next` returns; a promise of it where there was something to wait for. A promise that is rejected stays rejected.
 * @example
 * applyWhenReady(findBody(), (body) => body.length); // a number, or the promise of one
 */
export function applyWhenReady<Value, Next>(
  value: Value | Promise<Value>,
  next: (value: Value) => Next | Promise<Next>,
): Next | Promise<Next> {
  return value instanceof Promise ? value.then(next) : next(value);
}
