/** The files of a directory of recordings: one for each source, plain JSON, redacted by value, without the credential. */

import { readdirSync, readFileSync } from "node:fs";
import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { codeOf, withLock, writeFileAtomically } from "../../core/base/disk.js";
import { notConfigured } from "../../core/base/errors.js";
import { readPlainJson } from "../../core/base/input.js";

const text = z.string();

/** Text, or the hash of bytes that are not text. The boundary of multipart parts is `boundary`: the sent one is a hash of what is hidden here. */
const body = z.union([text, z.object({ bytes: z.int(), sha256: text })]);
export type RecordedBody = z.infer<typeof body>;

const request = z.object({
  method: text,
  /** Path and query below the base URL; of a token call the absolute URL, its query values made up; of any other URL the origin and a hash. */
  url: text,
  contentType: text.optional(),
  /** Absent where the request has no body, and for a request that obtains a token: that body is a credential. */
  body: body.optional(),
  isTokenCall: z.literal(true).optional(),
});
export type RecordedRequest = z.infer<typeof request>;

const response = z.object({
  status: z.int(),
  headers: z.record(text, z.union([text, z.array(text)])),
  /** Text, so that every number keeps its digits; bytes that are not UTF-8 as base64. */
  body: z.union([text, z.object({ base64: text })]).optional(),
  /** Whether the body broke off. */
  isTruncated: z.literal(true).optional(),
});
export type RecordedResponse = z.infer<typeof response>;

const entry = z.object({
  request,
  /** Absent when the connection broke before a response. */
  response: response.optional(),
  /** Why no response arrived: a code of Node's, where there is one. */
  failure: z.object({ code: text.optional() }).optional(),
});
/** One attempt of a request, and what became of it. */
export type RecordedEntry = z.infer<typeof entry>;

/** One file: the attempts of one source, in the order in which they were sent. */
const recordingFile = z.object({ version: z.literal(1), source: text, entries: z.array(entry) });
type RecordingFile = z.infer<typeof recordingFile>;

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
  let names: string[];
  try {
    names = readdirSync(directory).sort();
  } catch (error) {
    throw refuse(
      `The directory of recordings ${directory} cannot be read (${codeOf(error) ?? "error"}).`,
      "Give the directory that `recordTo` wrote to.",
    );
  }
  const paths = names.filter((name) => name.endsWith(".json")).map((name) => join(directory, name));
  if (paths.length === 0)
    throw refuse(
      `${directory} contains no recordings.`,
      "Record the calls first, with `recordTo`.",
    );
  return paths.map((path) => parseRecording(readFileSync(path, "utf8"), path));
}

function parseRecording(content: string, path: string): RecordingFile {
  const { data } = recordingFile.safeParse(readPlainJson(content));
  if (data !== undefined) return data;
  throw refuse(
    `${path} is not a recording of this version.`,
    "Delete the file and record the calls again.",
  );
}

function refuse(message: string, hint: string): Error {
  return notConfigured("recording_unusable", message, hint);
}
