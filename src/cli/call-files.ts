/** Files of `call`: the parts of `--form`, and the response that `--output` saves. */

import { readFile, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { BytesOutcome } from "../client/call-for-code.js";
import type { ClientOptions } from "../client/client-options.js";
import { quoteCurlWord } from "../connection/write-curl.js";
import { writeFileAtomically } from "../disk/write-file-atomically.js";
import { describeFile } from "../files/file.js";
import { findFileName } from "../files/file-name.js";
import { cleanLine, createUsageError } from "./terminal.js";

const rightForm = "api-sources call SLUG POST /path --form title=Report --form file=@report.pdf";
const rightOutput = "api-sources call SLUG GET /path --output report.pdf";

/** The multipart body of `--form`. */
export interface Form {
  /** The body as the tool takes it. */
  readonly body: Readonly<Record<string, unknown>>;
  /** Gives the files that the body names. */
  readonly readFile: NonNullable<ClientOptions["readFile"]>;
  /** The same parts as options of curl. */
  readonly curl: readonly string[];
}

/**
 * Reads `label=x`, a text, and `label=@PATH`, a file. A label that is given again is another part.
 *
 * @throws CommandError 2 for a part without a label, and for a file that can't be read.
 */
export async function readForm(parts: readonly string[]): Promise<Form> {
  const files = new Map<string, { readonly bytes: Uint8Array; readonly name: string }>();
  const body = new Map<string, unknown[]>();
  const curl: string[] = [];
  for (const part of parts) {
    const place = part.indexOf("=");
    if (place < 1) throw createUsageError(`--form ${cleanLine(part)} has no "=" after a label.`, rightForm);
    const [label, value] = [part.slice(0, place), part.slice(place + 1)];
    const path = value.startsWith("@") ? value.slice(1) : undefined;
    const own = body.get(label) ?? [];
    body.set(label, own);
    if (path === undefined) {
      own.push(value);
      curl.push(`--form-string ${quoteCurlWord(part)}`);
      continue;
    }
    const id = `form-${files.size + 1}`;
    files.set(id, { bytes: await readBytes(path), name: basename(path) });
    own.push({ $file: id });
    curl.push(`-F ${quoteCurlWord(`${label}=@"${path.replace(/["\\]/g, "\\$&")}"`)}`);
  }
  return { body: Object.fromEntries(body), readFile: (id) => files.get(id), curl };
}

async function readBytes(path: string): Promise<Uint8Array> {
  // A device or a pipe may have no end.
  const found = await stat(path).catch(() => undefined);
  if (found?.isFile() !== true)
    throw createUsageError(`The file ${cleanLine(path)} can't be read.`, rightForm);
  return readFile(path);
}

export interface OutputFlags {
  readonly output?: string;
  readonly force?: boolean;
}

/** Where a response is saved: a file, or a directory that gives it the name that the response has. */
export interface OutputPlace {
  readonly path: string;
  readonly isDirectory: boolean;
  readonly force: boolean;
}

/** @throws CommandError 2, before anything is sent, for a file that exists, and for a directory that does not. */
export async function findOutputPlace(path: string, force: boolean): Promise<OutputPlace> {
  const found = await stat(path).catch(() => undefined);
  const isDirectory = found?.isDirectory() === true;
  if (found !== undefined && !isDirectory && !force) throw refuseExisting(path);
  const folder = isDirectory ? path : dirname(path);
  if (found === undefined && (await stat(folder).catch(() => undefined))?.isDirectory() !== true)
    throw createUsageError(`The directory ${cleanLine(folder)} does not exist.`, rightOutput);
  if (found === undefined && /[/\\]$/.test(path))
    throw createUsageError(`The directory ${cleanLine(path)} does not exist.`, rightOutput);
  return { path, isDirectory, force };
}

/**
 * Saves a response whole or not at all.
 *
 * @param kept - The bytes as they were received, where the response is kept as a file.
 * @returns where it is, and what it is.
 * @throws CommandError 2 for a name in the directory that is taken.
 */
export async function saveResponse(
  { bytes = new Uint8Array(), contentType, headers = {}, artifact }: BytesOutcome,
  kept: Uint8Array | undefined,
  { path, isDirectory, force }: OutputPlace,
): Promise<{ readonly output: string } & ReturnType<typeof describeFile>> {
  const [, asked = ""] = (artifact.request ?? "").split(" ");
  const name = artifact.file?.name ?? findFileName(headers["content-disposition"], asked.split("?")[0] ?? "");
  const type = artifact.file?.type ?? contentType ?? "application/octet-stream";
  const output = isDirectory ? join(path, name) : path;
  const saved = kept ?? bytes;
  if (!(await writeFileAtomically(output, saved, { exclusive: !force }))) throw refuseExisting(output);
  return { output, ...describeFile({ name, type, bytes: saved }) };
}

function refuseExisting(path: string): Error {
  return createUsageError(
    `${cleanLine(path)} exists already; --force overwrites it.`,
    `${rightOutput} --force`,
  );
}
