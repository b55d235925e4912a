/** Reads a Content-Type header: the media type, its charset, and what kind of body it promises. */

import type { BodyKind } from "./response-body.js";

export interface MediaType {
  /** Without parameters, in lower case; absent when none or nonsense was declared. */
  readonly name?: string;
  readonly charset?: string;
  /** What it declares; absent when it declares nothing (`application/octet-stream` declares bytes). */
  readonly promises?: Exclude<BodyKind, "empty">;
}

const jsonTypes =
  /^(?:application|text)\/(?:(?:[\w.+-]+\+)?json|x-json|x-amz-json-1\.[01]|(?:x-)?(?:nd-?json|jsonl|jsonlines|json-lines)|json-seq|json5|stream\+json|event-stream)$/;
const otherTypes: readonly (readonly [RegExp, Exclude<BodyKind, "empty">])[] = [
  [/\+(?:json|json-seq|ndjson)$/, "json"],
  [/^(?:text\/html|application\/xhtml\+xml|application\/vnd\.wap\.xhtml\+xml)$/, "html"],
  [/^(?:application|text)\/xml(?:-.*)?$|\+xml$/, "xml"],
  [/^(?:text|application)\/(?:x-)?(?:csv|tab-separated-values|comma-separated-values|tsv)$/, "csv"],
  [/^text\/|^message\//, "text"],
  [
    /^application\/(?:x-)?(?:javascript|ecmascript|yaml|toml|graphql|sql|sh|www-form-urlencoded|pem-file)$|\+yaml$/,
    "text",
  ],
  [/^(?:image|audio|video|font|model)\//, "binary"],
  [
    /^application\/(?:octet-stream|pdf|zip|gzip|x-gzip|x-tar|x-7z-compressed|x-bzip2?|zstd|wasm|msword|vnd\.ms-.*|vnd\.openxmlformats-.*|vnd\.oasis\..*|x-protobuf|protobuf|grpc.*|x-msgpack|msgpack|cbor|vnd\.apache\..*|java-archive|x-shockwave-flash|rtf|epub\+zip)$|\+(?:zip|gzip|cbor|protobuf)$/,
    "binary",
  ],
];

/** Takes the text of a Content-Type header. */
export function parseMediaType(header: string | undefined): MediaType {
  const [first = "", ...parameters] = (header ?? "").slice(0, 1000).split(";");
  const name = first.trim().toLowerCase();
  if (!/^[\w!#$&^.+-]+\/[\w!#$&^.+-]+$/.test(name)) return {};
  const charset = parameters
    .map((part) => /^\s*charset\s*=\s*["']?([^"'\s]+)/i.exec(part)?.[1])
    .find((label) => label !== undefined);
  const promises = jsonTypes.test(name) ? "json" : otherTypes.find(([pattern]) => pattern.test(name))?.[1];
  return { name, charset, promises };
}
