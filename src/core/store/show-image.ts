/** A kept image as a model can see it: its bytes beside an answer that names it. */

import type { Answer } from "../answer/answer.js";
import type { AnswerServices } from "../answer/outcome.js";
import { ApiSourceError, invalidInput, notConfigured, refusedByPolicy } from "../base/errors.js";
import type { CallContext } from "../base/runtime.js";
import { quoteText } from "../base/text.js";
import type { KeptFile } from "../body/files/file.js";
import { findMediaType } from "../body/read-media-type.js";
import { holdsSecret } from "../secrets/redactor.js";
import type { KeptFileContent, KeptResponse, ReadRequest } from "./keep-response.js";

/** An image for a model. */
export interface ShownImage {
  /** The media type, by the first bytes. */
  readonly type: string;
  readonly bytes: Uint8Array;
}

/** An image with the answer that stands beside it. */
export interface ImageAnswer {
  readonly answer: Answer;
  readonly image: ShownImage;
  readonly file: KeptFile;
}

/** The types that the models of all large providers see. */
const imageTypes: readonly string[] = ["image/png", "image/jpeg", "image/webp", "image/gif"];

/**
 * Anthropic takes 5,242,880 characters of base64 for an image, and refuses a conversation with a larger one for good: the image stays among the
 * messages. So many bytes make as many characters.
 */
const maxImageBytes = 3_932_160;

/**
 * Shows the file of a kept response as an image.
 *
 * @throws ApiSourceError `invalid_input` for a part of it, and for what is no image; `too_large`; `refused_by_policy` for one with a secret.
 */
export async function showImage(
  { kept: responses, secrets }: Pick<AnswerServices, "kept" | "secrets">,
  request: ReadRequest,
  kept: KeptResponse,
  context: CallContext,
): Promise<ImageAnswer> {
  const { id } = request;
  refusePart(request);
  const content = await responses.loadFile(id, context);
  const type = content && findMediaType(content.bytes);
  if (content === undefined || type === undefined || !imageTypes.includes(type))
    throw refuseOther(id, kept);
  const { bytes } = content;
  if (bytes.length > maxImageBytes) throw refuseLarge(bytes.length);
  if (holdsSecret(content, secrets.redactor()))
    throw refusedByPolicy(
      "The image contains a credential, so it is not shown.",
      "The agent can't change this. The user's program can read the file.",
    );
  const file = describeImage(id, content, type);
  const { sha256: _sha256, ...shown } = file;
  return {
    answer: { status: kept.status, file: shown, notes: ["The image follows this text."] },
    image: { type, bytes },
    file,
  };
}

function describeImage(id: string, { name, bytes, kept }: KeptFileContent, type: string): KeptFile {
  return { id, name, type, bytes: bytes.length, sha256: kept.file?.sha256 ?? "" };
}

function refusePart({ select, find, offset = 0, limit }: ReadRequest): void {
  if (select === undefined && find === undefined && offset === 0 && limit === undefined) return;
  throw invalidInput(
    'With `as: "image"` all of the image is shown.',
    "Leave out select, find, offset and limit.",
  );
}

function refuseOther(id: string, { file, contentType, kind }: KeptResponse): Error {
  const type = file?.type ?? contentType ?? kind;
  return invalidInput(
    `The kept response ${quoteText(id, 40)} is not an image that can be shown: it is ${quoteText(type, 100)}.`,
    "PNG, JPEG, WebP and GIF can be shown. Leave `as` out to read it as data.",
  );
}

function refuseLarge(bytes: number): Error {
  return new ApiSourceError({
    message: `The image has ${bytes} bytes; at most ${maxImageBytes} can be shown.`,
    category: "too_large",
    hint: "Request a smaller one, such as a thumbnail, where the API has it.",
  });
}

/** For a model that is given no image of a tool's message. */
export function refuseImages(): Error {
  return notConfigured(
    "no_images",
    "This model is given no image that a tool returns, so it is not shown.",
    "The agent can't change this: the application's agent needs `apiSourcesMiddleware(toolkit)`, as LangChain's package of this provider does not hand an image on.",
  );
}
