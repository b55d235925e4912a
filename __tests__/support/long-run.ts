/** How large a suite of properties is: a small run in `npm test`, the whole in `npm run test:long`. */

/** Whether this is `npm run test:long`, which also runs every file that imports this one. */
export const isLongRun: boolean = Reflect.get(globalThis, "isLongRun") === true;

/** How often a property is tried. @param full - In the long run; a tenth of it, and at least 10, else. */
export function runsOf(full: number): number {
  return isLongRun ? full : Math.max(10, Math.ceil(full / 10));
}
