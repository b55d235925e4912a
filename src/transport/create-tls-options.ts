/** What TLS trusts and shows: Node's certificate authorities, the record's own, and a client certificate. */

import { X509Certificate } from "node:crypto";
import type { AgentOptions } from "node:https";
import tls from "node:tls";
import { ApiSourceError } from "../errors.js";
import { codeOf } from "./send-failure.js";

/** PEM texts; certificate and key belong together. */
export interface TlsMaterial {
  readonly ca?: string | undefined;
  readonly cert?: string | undefined;
  readonly key?: string | undefined;
}

/**
 * Creates the TLS options of a source once, for all of its connections: reading some 140 root certificates takes longer
 * than a handshake. Without material Node's own context is right. Verification is said outright:
 * `NODE_TLS_REJECT_UNAUTHORIZED` is not for an API.
 *
 * @throws ApiSourceError `not_configured` for what is not PEM text or does not fit together. It never shows the text.
 */
export function createTlsOptions(material: TlsMaterial): AgentOptions {
  const { ca, cert, key } = material;
  const given = Object.entries({ ca, cert, key }).filter(([, text]) => text !== undefined);
  if (given.length === 0) return { rejectUnauthorized: true };
  for (const [field, text] of given) {
    if (!text?.includes("-----BEGIN ")) throw notConfigured(`network.${field} is not PEM text.`);
  }
  if ((cert === undefined) !== (key === undefined)) {
    throw notConfigured("A client certificate needs both network.cert and network.key; only one is given.");
  }
  try {
    const trusted = ca === undefined ? {} : { ca: [...trustedByDefault(), ...readCertificates(ca)] };
    const shown = cert === undefined || key === undefined ? {} : { cert, key };
    return { rejectUnauthorized: true, secureContext: tls.createSecureContext({ ...trusted, ...shown }) };
  } catch (error) {
    if (error instanceof ApiSourceError) throw error;
    // OpenSSL's codes say what is wrong (`ERR_OSSL_X509_KEY_VALUES_MISMATCH`) and never hold a part of the text.
    const { code } = codeOf(error);
    const why = code === undefined ? "" : ` (${code})`;
    throw notConfigured(`The certificates in network.ca, network.cert and network.key can't be used${why}.`);
  }
}

/** Giving `ca` replaces what Node trusts, so that comes first; newer versions also tell what the process added. */
function trustedByDefault(): readonly string[] {
  const list: unknown = Reflect.get(tls, "getCACertificates");
  const certificates: unknown = typeof list === "function" ? list("default") : undefined;
  const isList = Array.isArray(certificates) && certificates.every((item) => typeof item === "string");
  return isList ? certificates : tls.rootCertificates;
}

/** OpenSSL drops an authority that it can't read without a word; then nothing would be trusted, and nothing would say why. */
function readCertificates(bundle: string): string[] {
  const blocks = bundle.split("-----END CERTIFICATE-----").slice(0, -1);
  if (blocks.length === 0) throw notConfigured("network.ca holds no certificate.");
  return blocks.map((block) => new X509Certificate(`${block}-----END CERTIFICATE-----`).toString());
}

function notConfigured(message: string): ApiSourceError {
  return new ApiSourceError({
    message,
    category: "not_configured",
    hint: "Give PEM text that starts with -----BEGIN, or the path of a PEM file, without a passphrase.",
  });
}
