/** The environment of a test file is that of its process: what the file changes there is put back after it. */
import { ModuleMocker } from "jest-mock";

export default class ProcessEnvironment {
  global = globalThis;
  moduleMocker = new ModuleMocker(globalThis);
  /** Tests have a clock of their own. */
  fakeTimers = null;
  fakeTimersModern = null;
  #globals;
  #before;

  constructor({ projectConfig }) {
    this.#globals = projectConfig.globals;
    this.#before = {
      console,
      exit: process.exit,
      stackTraceLimit: Error.stackTraceLimit,
      variables: { ...process.env },
      folder: process.cwd(),
      names: new Set(Object.getOwnPropertyNames(globalThis)),
    };
  }

  async setup() {
    Object.assign(globalThis, this.#globals);
  }

  async teardown() {
    const { console, exit, stackTraceLimit, variables, folder, names } = this.#before;
    this.moduleMocker.restoreAllMocks();
    for (const name of Object.getOwnPropertyNames(globalThis))
      if (!names.has(name)) delete globalThis[name];
    for (const name of Object.keys(process.env)) delete process.env[name];
    Object.assign(process.env, variables);
    process.chdir(folder);
    Object.assign(process, { exit });
    Object.assign(Error, { stackTraceLimit });
    Object.assign(globalThis, { console });
  }

  exportConditions() {
    return ["node", "node-addons"];
  }

  /** There is no context besides the one of the process. */
  getVmContext() {
    return null;
  }
}
