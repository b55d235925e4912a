/** The files of a directory of recordings: one for each source. */

import { readdirSync, readFileSync } from "node:fs";
import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { notConfigured } from "../../core/base/errors.js";
import { readPlainJson } from "../../core/base/input.js";
import { withLock } from "../../core/base/take-lock.js";
import { codeOf, writeFileAtomically } from "../../core/base/write-file-atomically.js";
import { type RecordedEntry, type RecordingFile, recordingFile } from "./recording-format.js";

/**
 * Adds entries to the file of a source, after those that are there. Processes that share the directory take turns.
 *
 * @param redact - Applied to all of the file: an earlier entry may contain what a later one shows to be a secret.
 * @throws ApiSourceError `not_configured` when the file is not a recording; Node's error when it cannot be written.
 */
export async function appendEntries(
  directory: string,
  source: string,
  entries: readonly RecordedEntry[],
  redact: (entries: RecordedEntry[]) => RecordedEntry[],
): Promise<void> {
  await mkdir(directory, { recursive: true });
  const path = join(directory, `${source.replace(/[^A-Za-z0-9_-]+/g, "_")}.json`);
  await withLock(`${path}.lock`, async () => {
    const known = await readFile(path, "utf8").catch((error: unknown) => {
      if (codeOf(error) === "ENOENT") return undefined;
      throw error;
    });
    const before = known === undefined ? [] : parseRecording(known, path).entries;
    const file: RecordingFile = { version: 1, source, entries: redact([...before, ...entries]) };
    await writeFileAtomically(path, `${JSON.stringify(file, null, 2)}\n`);
  });
}

/**
 * Reads every recording of a directory.
 *
 * @throws ApiSourceError `not_configured` when the directory has no recordings, or a file is not one.
 */
export function readRecordings(directory: string): RecordingFile[] {
  const names = listNames(directory).filter((name) => name.endsWith(".json"));
  if (names.length === 0)
    throw refuse(`${directory} contains no recordings.`, "Record the calls first, with `recordTo`.");
  return names.map((name) =>
    parseRecording(readFileSync(join(directory, name), "utf8"), join(directory, name)),
  );
}

function listNames(directory: string): string[] {
  try {
    return readdirSync(directory).sort();
  } catch (error) {
    const hint = "Give the directory that `recordTo` wrote to.";
    throw refuse(
      `The directory of recordings ${directory} cannot be read (${codeOf(error) ?? "error"}).`,
      hint,
    );
  }
}

function parseRecording(text: string, path: string): RecordingFile {
  const { data } = recordingFile.safeParse(readPlainJson(text));
  if (data !== undefined) return data;
  throw refuse(`${path} is not a recording of this version.`, "Delete the file and record the calls again.");
}

function refuse(message: string, hint: string): Error {
  return notConfigured("recording_unusable", message, hint);
}
