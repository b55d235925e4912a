/** Time, chance and the environment of a test: options that no application has, so that they are given under symbols. */
import type { ClientOptions } from "langchain-api-sources";
import type { Seams } from "../../src/core/base/runtime.js";

/** As `withSeams` of `src/core/base/runtime.ts`, which tests on the installed package cannot import. */
export const withSeams = (seams: Partial<Seams>): ClientOptions =>
  Object.fromEntries(
    Object.entries(seams).map(([name, seam]) => [Symbol.for(`langchain-api-sources.${name}`), seam]),
  );
