#!/usr/bin/env node

/** The command `api-sources`: runs one command line and ends the process with its exit code. */

import { setMaxListeners } from "node:events";
import { runCommandLine } from "./program.js";
import { presentError, terminal } from "./terminal.js";

// Each question listens until the process ends: more than ten of them are not a leak, of which Node.js would warn.
setMaxListeners(0, terminal.signal);
process.on("SIGINT", () => {
  // A second Ctrl-C doesn't wait for anything.
  if (terminal.signal.aborted) process.exit(130);
  terminal.interrupt.abort(new Error("interrupted"));
});
// Input that ends in the middle of a question (Ctrl-D) leaves it without an answer, and nothing else to wait for.
process.on("beforeExit", () => process.exit(130));
// A reader that closes early (`| head`) is not a failure of ours.
process.stdout.on("error", () => process.exit(0));
process.stderr.on("error", () => {});

const code = await runCommandLine(process.argv.slice(2)).catch(presentError);
// Connections that are kept open would hold the process; what was written must be out first.
process.stdout.write("", () => process.stderr.write("", () => process.exit(code)));
