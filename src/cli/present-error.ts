/** From what a command threw to an exit code and words on stderr. */

import { ApiSourceError, SourceRecordError } from "../errors.js";
import { CommandError, cleanLine, type Terminal } from "./terminal.js";
import { writeProblem } from "./workspace.js";

/** Thrown by a prompt that was left with Ctrl-C or by the end of its input. */
export class Interrupted extends Error {}

/** @returns the exit code: 130 interrupted, 2 a wrong record or usage, 6 refused by policy, else 1. */
export function presentError(error: unknown, terminal: Terminal): number {
  terminal.showProgress("");
  if (error instanceof Interrupted || terminal.signal.aborted) {
    terminal.tell("Interrupted.");
    return 130;
  }
  if (error instanceof CommandError) {
    terminal.tell(error.message);
    if (error.right !== undefined) terminal.tell(`Right would be: ${error.right}`);
    return error.exitCode;
  }
  if (error instanceof SourceRecordError) {
    terminal.tell(`The record is wrong:\n${error.problems.map(writeProblem).join("\n")}`);
    return 2;
  }
  if (error instanceof ApiSourceError) {
    terminal.tell(`${cleanLine(error.message)}\n${cleanLine(error.hint)}`);
    return exitCodeOf(error.category, undefined);
  }
  // The message of an unknown error may hold anything; a system error's code and path are safe and help.
  terminal.tell(describeUnknown(error));
  return 1;
}

/** @param status - The API's status, where there was an answer. */
export function exitCodeOf(category: string | undefined, status: number | undefined): number {
  if (category === undefined) return 0;
  if (category === "refused_by_policy") return 6;
  if (category === "invalid_input") return 2;
  if (category === "cancelled") return 130;
  const family = Math.floor((status ?? 0) / 100);
  return family === 4 || family === 5 ? family : 1;
}

function describeUnknown(error: unknown): string {
  if (!(error instanceof Error)) return "The command failed.";
  const code = "code" in error && typeof error.code === "string" ? error.code : undefined;
  const path = "path" in error && typeof error.path === "string" ? ` (${cleanLine(error.path)})` : "";
  return code === undefined ? `The command failed (${error.name}).` : `The command failed: ${code}${path}.`;
}
