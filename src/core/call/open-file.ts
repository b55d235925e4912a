/** Opens a file that a call names: one that was made for the request, a kept one, or one of the application's. */

import { ApiSourceError, invalidInput, refusedByPolicy } from "../base/errors.js";
import { quoteText } from "../base/text.js";
import { type FileContent, toFileName } from "../body/files/file.js";
import {
  checkFileName,
  type FileReference,
  filePart,
  type MadeFile,
} from "../body/files/file-reference.js";
import { isUtf8Label, parseMediaType } from "../body/read-media-type.js";
import type { EncodedBody } from "../request/wire-request.js";
import { holdsSecret } from "../secrets/redactor.js";
import type { KeptResponse } from "../store/keep-response.js";
import type { RunningCall } from "./running-call.js";

export interface OpenedFile extends FileContent {
  /** The response that a kept file came with. */
  readonly kept?: KeptResponse | undefined;
}

/**
 * The type that a file is sent with. A kept file has the charset of its response: with another one a person who approves would be shown
 * another text than a receiver reads who knows better.
 *
 * @throws ApiSourceError `invalid_input` for a type with a charset that the kept file does not have.
 */
export function chooseType({ type, kept }: OpenedFile, written: string = type): string {
  if (kept === undefined || kept.kind === "binary") return written;
  const { charset } = parseMediaType(written);
  const own = kept.file?.charset ?? "utf-8";
  if (charset === undefined) return isUtf8Label(own) ? written : `${written}; charset=${own}`;
  const isOwn = isUtf8Label(own) ? isUtf8Label(charset) : charset.toLowerCase() === own;
  if (isOwn) return written;
  throw invalidInput(
    `The type ${quoteText(written, 80)} has another charset than the file, which is ${own}. Nothing was sent.`,
    "Leave the charset out of the type: the file's own is sent with it.",
  );
}

/** A file that was made for this request, a kept file of this scope, or one of the application's. */
export async function openFile(
  call: RunningCall,
  given: FileReference | MadeFile,
): Promise<OpenedFile> {
  const { services, context, prepared, isFromModel } = call;
  if (!("file" in given)) {
    if (given.text !== undefined || isFromModel !== true) return given;
    throw refusedByPolicy(
      "`$base64` is accepted only from code and from the application. Nothing was sent.",
      `Write ${filePart}: in a multipart body, or a kept file as the whole body.`,
    );
  }
  const { file } = given;
  const kept = await services.kept.loadFile(file, context);
  if (kept !== undefined && holdsSecret(kept, prepared.redactor.join(services.secrets.redactor())))
    throw refusedByPolicy(
      `The file ${quoteText(file, 80)} contains a credential, so it is sent to no source. Nothing was sent.`,
      "The agent can't change this. The text that its answer showed has no credential, and may be sent as a text.",
    );
  const found = kept ?? (await readOwnFile(call, file));
  if (found !== undefined) {
    const {
      name = found.name ?? toFileName(file),
      type = found.type ?? "application/octet-stream",
    } = given;
    return { name, type, bytes: found.bytes, kept: kept?.kept };
  }
  throw new ApiSourceError({
    message: `There is no file ${quoteText(file, 80)} here. Nothing was sent.`,
    category: "not_found",
    hint: "File ids belong to this conversation and expire after an hour. Download the file again to get a new one.",
  });
}

async function readOwnFile({ source, services, context, deadline }: RunningCall, name: string) {
  const { readFile } = services;
  if (readFile === undefined) return undefined;
  checkFileName(name);
  const read = async () => {
    const own = await readFile(name, context);
    if (own && !(own.bytes instanceof Uint8Array))
      throw new TypeError("readFile must return a Uint8Array as bytes.");
    return own ?? undefined;
  };
  const asked = { what: "The application's readFile", source: source.slug };
  return services.host.application.ask(asked, read, deadline.race);
}

/** A note for a refused multipart body without a file: mostly a file was meant, and was written otherwise. */
export function describeMissingFile(body: EncodedBody | undefined): string[] {
  if (body?.fields === undefined || body.files.length > 0) return [];
  return [`No part of this multipart body was sent as a file. Write a file as ${filePart}.`];
}
