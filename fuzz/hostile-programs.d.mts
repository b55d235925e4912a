import type { Arbitrary } from "fast-check";

/** Takes fast-check. Returns an arbitrary of hostile code: the body of one `run_api_code` call on a source `shop`. */
export function hostileProgram(fc: Omit<typeof import("fast-check"), "default">): Arbitrary<string>;
