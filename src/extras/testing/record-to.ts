/** Records what a source's API answers, so that a test replays it without the network. */

import { ApiSourceError, notConfigured } from "../../core/base/errors.js";
import { aFunction, checkOwnOptions } from "../../core/base/option-rules.js";
import { readResponseBody } from "../../core/body/read-response-body.js";
import { readProcessEnvironment } from "../../core/credentials/credential-variables.js";
import type { ObservedAttempt, TransportRecorder } from "../../core/http/own-transport.js";
import { mayOpenToSecret } from "../../core/secrets/open-compressed.js";
import { createRedactor } from "../../core/secrets/redactor.js";
import { Secret } from "../../core/secrets/secret.js";
import { listIssued, toRecordedEntry } from "./recorded-entry.js";
import { appendEntries, type RecordedEntry } from "./recordings.js";

export interface RecordOptions {
  /**
   * Changes an entry before it is saved, such as to remove personal data. Secrets that the package knows are gone already.
   *
   * @default entries are saved as they are
   */
  readonly redact?: ((entry: RecordedEntry) => RecordedEntry) | undefined;
}

/**
 * Makes a recorder for the option `transport`. It observes each request on the real network, retries, redirects and token calls
 * included, and adds it to one JSON file per source before the call returns. Several processes may record into one directory.
 *
 * Known secrets are redacted by value, tokens that a token call obtains are made up, and each entry is scanned once more before it
 * is written. Everything else that the API answers is in the files: see `redact`.
 *
 * @param directory - Made when the first request is recorded. Requests are added to the files that are there.
 * @returns A recorder; a request that cannot be recorded fails its call.
 * @throws ApiSourceError `not_configured` when `NODE_ENV` is `production`.
 *
 * @example
 * const toolkit = await ApiSourceToolkit.fromFile("github.json", { transport: recordTo("recordings") });
 */
export function recordTo(directory: string, options: RecordOptions = {}): TransportRecorder {
  refuseProduction("recordTo");
  checkOwnOptions("recordTo", options, { redact: aFunction });
  const { redact = (entry) => entry } = options;
  // Knows the secrets that answers have issued: each is made up where it was issued, and redacted wherever it is repeated.
  let issued = createRedactor([]);

  async function write(source: string, attempts: readonly ObservedAttempt[]): Promise<void> {
    const nowMs = Date.now();
    issued = issued.with(attempts.flatMap(listIssued).map((value) => new Secret(value)));
    const scanned = attempts.map((given) => {
      const request = { ...given.request, redactor: issued.join(given.request.redactor) };
      const attempt = { ...given, request };
      return scan(redact(toRecordedEntry(attempt, nowMs)), attempt);
    });
    await appendEntries(directory, source, await Promise.all(scanned), (all) => issued.redact(all));
  }

  return {
    async record(attempts) {
      const [first] = attempts;
      if (first === undefined) return;
      const { source, redactor } = first.request;
      await write(source, attempts).catch((error: unknown) => {
        if (error instanceof ApiSourceError) throw error;
        const reason = error instanceof Error ? error.message : "unknown error";
        throw notConfigured(
          "recording_failed",
          `The request was sent, but could not be recorded: ${redactor.redact(reason)}.`,
          "Make the directory of recordings writable, and correct `redact` of `recordTo` if it threw this.",
        );
      });
    },
  };
}

/** @throws ApiSourceError `not_configured`: recordings hold what an API answered, and a replay answers in its place. */
export function refuseProduction(name: string): void {
  if (readProcessEnvironment("NODE_ENV") !== "production") return;
  throw notConfigured(
    "recording_in_production",
    `${name} does not run with NODE_ENV=production.`,
    "Leave out the option `transport` in production.",
  );
}

/** A secret that redaction did not find in its place may appear in the text of the entry, such as across two members. */
async function scan(
  entry: RecordedEntry,
  { request: { redactor, source } }: ObservedAttempt,
): Promise<RecordedEntry> {
  const { body = "", headers = {} } = { ...entry.response };
  const bytes = typeof body === "string" ? Buffer.from(body) : Buffer.from(body.base64, "base64");
  const text = JSON.stringify(entry);
  const isSafe =
    redactor.redact(text) === text &&
    redactor.redact(bytes) === bytes &&
    !(await mayOpenToSecret(bytes, redactor)) &&
    // Markup and quoting keep a secret in parts, which a replay would join.
    (await readResponseBody({ bytes, headers, redactor })).hidSecret !== true;
  if (isSafe) return entry;
  throw notConfigured(
    "recording_unsafe",
    `A ${entry.request.method} request of ${source} was sent, but not recorded: its recording would contain a secret.`,
    "Remove it with the option `redact` of `recordTo`.",
  );
}
