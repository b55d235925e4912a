// Runs a test file by jest-circus, as Jest does, and lets Node.js import it. Each test file has its own modules of `__tests__`: it is imported
// from a folder of its own that links to all compiled files. Modules of `src` and of packages are shared by the test files of a process: to load
// and to optimize these anew for each of them took an eighth of all computing.
import { mkdirSync, symlinkSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join, relative } from "node:path";
import { pathToFileURL } from "node:url";
import { findCompiledFolder, findSharingFolder } from "./compiled-folder.mjs";

const require = createRequire(import.meta.url);
const runByCircus = require("jest-circus/runner").default;
const asyncHooks = require("node:async_hooks");
/** Where jest-circus keeps its state and its handlers of events. */
const circusKeys = new Set(["JEST_STATE_SYMBOL", "EVENT_HANDLERS"]);
const globalsKey = Symbol.for("jest-globals");

// Without this, Node.js frees the memory of all modules before a worker ends. A handle that a test has left open keeps the worker from coming
// here: Jest ends it by force after `workerGracefulExitTimeout`, and says so.
if (process.send !== undefined) process.once("beforeExit", () => process.exit());

/** A `testRunner` of Jest. */
export default async function runTestFile(
  globalConfig,
  config,
  environment,
  _runtime,
  testPath,
  send,
) {
  if (!process.execArgv.includes("--preserve-symlinks"))
    throw new Error("The tests need `node --preserve-symlinks`: start them by `npm run jest`.");
  const { moduleMocker } = environment;
  const jest = {
    fn: moduleMocker.fn.bind(moduleMocker),
    spyOn: moduleMocker.spyOn.bind(moduleMocker),
    restoreAllMocks: moduleMocker.restoreAllMocks.bind(moduleMocker),
  };
  const nativeRuntime = {
    requireInternalModule: requireAnew,
    requireModule: require,
    setGlobalsForRuntime(globals) {
      globalThis[globalsKey] = { ...globals, jest };
    },
    unstable_shouldLoadAsEsm: () => true,
    unstable_importModule(path) {
      const folder = isWatching(globalConfig)
        ? findCompiledFolder(config)
        : findSharingFolder(config);
      return importAlone(folder, relative(config.rootDir, path).replace(/\.tsx?$/, ".js"));
    },
    enterTestCode() {},
    leaveTestCode() {},
  };
  try {
    return await runByCircus(globalConfig, config, environment, nativeRuntime, testPath, send);
  } finally {
    forgetCircus();
  }
}

/** In watch mode a process may run after its sources have changed. */
const isWatching = ({ watch, watchAll }) => watch || watchAll;

/** What jest-circus has made for the test file that runs. */
const storages = [];

/** Since Node.js 24, whose modules can't be changed, a promise is no longer noted in each storage. */
const isNotedByPromises =
  Object.getOwnPropertyDescriptor(asyncHooks, "AsyncLocalStorage").writable === true;

/** The state of jest-circus is that of its module. */
function requireAnew(path) {
  delete require.cache[path];
  if (!isNotedByPromises) return require(path);
  const { AsyncLocalStorage } = asyncHooks;
  asyncHooks.AsyncLocalStorage = class extends AsyncLocalStorage {
    constructor() {
      super();
      storages.push(this);
    }
  };
  try {
    return require(path);
  } finally {
    asyncHooks.AsyncLocalStorage = AsyncLocalStorage;
  }
}

/**
 * Without this, every promise is noted in the storage of each test file before, every event of a test is handled once for each of them, and
 * their results stay in memory: after eighty files that was a third of all computing.
 */
function forgetCircus() {
  for (const storage of storages.splice(0)) storage.disable();
  for (const key of Object.getOwnPropertySymbols(globalThis))
    if (circusKeys.has(key.description)) delete globalThis[key];
}

/** How often this process has run a test file: in watch mode it imports the file again. */
const runs = new Map();

/** Node.js knows a module by its path, and `--preserve-symlinks` makes it the path of the link. */
function importAlone(folder, name) {
  const run = (runs.get(name) ?? 0) + 1;
  runs.set(name, run);
  const link = join(
    dirname(folder),
    `${basename(folder)}-links`,
    `${name.replaceAll(/\W/g, "-")}-${run}`,
  );
  linkTo(folder, link);
  return import(pathToFileURL(join(link, name)).href);
}

/** Another process may have made the same link. */
function linkTo(folder, link) {
  mkdirSync(dirname(link), { recursive: true });
  try {
    symlinkSync(folder, link);
  } catch (error) {
    if (error.code !== "EEXIST") throw error;
  }
}
