/** From a value of any kind to a source, or to one error that lists everything that is wrong with it. */

import { SourceRecordError } from "../errors.js";
import { type Logger, silentLogger } from "../runtime.js";
import type { ApiSource } from "./api-source.js";
import { readRecord } from "./read-record.js";
import { isSealedSource, sealSource } from "./seal-source.js";

export interface ParseOptions {
  /** The file that the record stands in, for messages. */
  readonly file?: string;
  /** Told once of keys that are kept and have no effect. @default silent */
  readonly logger?: Logger;
}

/**
 * Reads a record as design and JSON Schema describe it and fills every default. What the caller passed is neither
 * changed nor kept: the source is a frozen copy. A source that this function returned is returned as it is.
 *
 * @throws SourceRecordError for whatever else is passed, with every problem found: its path in the record, what was
 * given (never a value that may be a secret) and what would fix it.
 */
export function parseSource(value: unknown, options: ParseOptions = {}): ApiSource {
  if (isSealedSource(value)) return value;
  const { source, problems, unknownKeys } = readRecord(
    value,
    options.file === undefined ? {} : { file: options.file },
  );
  if (!source) throw new SourceRecordError(problems);
  warnOfUnknownKeys(source, unknownKeys, options);
  return sealSource(source);
}

/** Says which keys of a source have no effect: once, and not what they hold. */
export function warnOfUnknownKeys(source: ApiSource, keys: readonly string[], options: ParseOptions): void {
  if (keys.length === 0) return;
  const { logger = silentLogger, file } = options;
  logger.warn("A source's record has keys that are not known; they are kept and have no effect.", {
    source: source.slug,
    ...(file === undefined ? {} : { file }),
    keys: keys.slice(0, 20),
  });
}
