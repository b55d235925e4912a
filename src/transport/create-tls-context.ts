/** What TLS trusts and shows: Node's certificate authorities, the record's own, and a client certificate. */

import { X509Certificate } from "node:crypto";
import type { AgentOptions } from "node:https";
import tls, { type SecureContext } from "node:tls";
import { ApiSourceError } from "../errors.js";
import type { SourceNetwork } from "../source/api-source.js";
import { readCode } from "./send-failure.js";

/** The PEM texts of a record; certificate and key belong together. */
export type TlsMaterial = Pick<SourceNetwork, "ca" | "cert" | "key">;

/**
 * Creates the TLS context of a source once, for all of its connections: reading some 140 root certificates takes
 * longer than a handshake. `undefined` when the record says nothing about TLS; Node's own context is right then.
 *
 * @throws ApiSourceError `not_configured` for what is not PEM text or does not fit together. It never shows the text.
 */
export function createTlsContext(material: TlsMaterial): SecureContext | undefined {
  const { ca, cert, key } = material;
  if (ca === undefined && cert === undefined && key === undefined) return undefined;
  assertPem(material);
  if ((cert === undefined) !== (key === undefined)) {
    throw notConfigured("A client certificate needs both network.cert and network.key; only one is given.");
  }
  try {
    if (ca !== undefined) assertCertificates(ca);
    return tls.createSecureContext({
      ...(ca === undefined ? {} : { ca: [...trustedByDefault(), ca] }),
      ...(cert === undefined || key === undefined ? {} : { cert, key }),
    });
  } catch (error) {
    if (error instanceof ApiSourceError) throw error;
    throw notConfigured(
      `The certificates in network.ca, network.cert and network.key can't be used${reason(error)}.`,
    );
  }
}

/** Returns the TLS options of an agent. Verification is said outright: `NODE_TLS_REJECT_UNAUTHORIZED` is not for an API. */
export function toTlsOptions(secureContext: SecureContext | undefined): AgentOptions {
  return { rejectUnauthorized: true, ...(secureContext === undefined ? {} : { secureContext }) };
}

/** Giving `ca` replaces what Node trusts, so that comes first; newer versions also tell what the process added. */
function trustedByDefault(): readonly string[] {
  const list: unknown = Reflect.get(tls, "getCACertificates");
  const certificates: unknown = typeof list === "function" ? list("default") : undefined;
  const isList = Array.isArray(certificates) && certificates.every((item) => typeof item === "string");
  return isList ? certificates : tls.rootCertificates;
}

function assertPem(material: TlsMaterial): void {
  for (const field of ["ca", "cert", "key"] as const) {
    const text = material[field];
    if (text !== undefined && !text.includes("-----BEGIN ")) {
      throw notConfigured(`network.${field} is not PEM text.`);
    }
  }
}

/** OpenSSL drops an authority that it can't read without a word; then nothing would be trusted, and nothing would say why. */
function assertCertificates(bundle: string): void {
  const blocks = bundle.split("-----END CERTIFICATE-----").slice(0, -1);
  if (blocks.length === 0) throw notConfigured("network.ca holds no certificate.");
  for (const block of blocks) new X509Certificate(`${block}-----END CERTIFICATE-----`);
}

/** OpenSSL's codes say what is wrong (`ERR_OSSL_X509_KEY_VALUES_MISMATCH`) and never hold a part of the text. */
function reason(error: unknown): string {
  const code = readCode(error);
  return code === undefined ? "" : ` (${code})`;
}

function notConfigured(message: string): ApiSourceError {
  return new ApiSourceError({
    message,
    category: "not_configured",
    hint: "Give PEM text that starts with -----BEGIN, or the path of a PEM file, without a passphrase.",
  });
}
