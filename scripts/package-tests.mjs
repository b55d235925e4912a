/** Which test files need only the public entry points: those can run on the installed package. */
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

const importOfValues = /^(?:import|export)\s+(?!type\s)(?:[^;]*?from\s+)?"([^"]+)";/gm;
const lazyImport = /\bimport\(\s*"([^"]+)"\s*\)/g;

/** The tests on third-party servers, on frameworks and in a browser are suites of their own; the tests of `bench/` run it on rooms of `src`. */
const excluded = /^__tests__\/(?:servers\/|frameworks\/|browser\/|bench-agent\.|one-call\.)/;

/** Of the long suites, those of hostile code, the canaries and the queries run on the package. The others are large, or compile `src`. */
const longFiles = /\/(?:canary|code-(?:hostile|limits)|queries-through-tools)[^/]*$/;

/** @returns the test files, as paths from the root of this repository, that reach the package and no file of `src` */
export function listPackageTests() {
  return listFiles()
    .filter((file) => file.endsWith(".test.ts") && !excluded.test(file))
    .filter((file) => !file.endsWith(".long.test.ts") || longFiles.test(file))
    .filter((file) => {
      const reached = listReached(file);
      return reached.some(usesPackage) && !reached.some((target) => target.startsWith("src/"));
    });
}

/**
 * @param isWhole whether the files of `npm run test:long` are among them
 * @returns the other files that need nothing but Node
 */
export function listInnerTests({ isWhole }) {
  const onPackage = new Set(listPackageTests());
  const suites = /^__tests__\/(?:servers|frameworks|browser)\//;
  return listFiles()
    .filter((file) => file.endsWith(".test.ts") && !suites.test(file) && !onPackage.has(file))
    .filter((file) => isWhole || !file.endsWith(".long.test.ts"));
}

/** The programs that are compiled for a test import the package, too. */
const usesPackage = (target) =>
  /^langchain-api-sources(?:\/|$)/.test(target) ||
  target === "__tests__/support/compiled-programs.ts";

export function listFiles() {
  return readdirSync("__tests__", { recursive: true })
    .map((name) => join("__tests__", name))
    .filter((name) => name.endsWith(".ts"))
    .sort();
}

/** Every import of values, of the file itself and of the files that it imports. */
function listReached(file, reached = new Set()) {
  const text = readFileSync(file, "utf8");
  for (const pattern of [importOfValues, lazyImport]) {
    for (const [, specifier] of text.matchAll(pattern)) {
      const target = specifier.startsWith(".")
        ? join(dirname(file), specifier).replace(/\.js$/, ".ts")
        : specifier;
      if (reached.has(target)) continue;
      reached.add(target);
      if (/^(?:__tests__|examples)\//.test(target) && target.endsWith(".ts"))
        listReached(target, reached);
    }
  }
  return [...reached];
}
