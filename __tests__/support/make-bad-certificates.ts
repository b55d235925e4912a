/** Server certificates that a client must refuse, each for its own reason, signed by one authority that may be trusted. */

import { generateKeyPairSync } from "node:crypto";
import forge from "node-forge";

export interface KeyedCertificate {
  /** PEM texts. */
  readonly cert: string;
  readonly key: string;
}

export interface BadCertificates {
  /** The authority that signed all but the self-signed one. */
  readonly ca: string;
  readonly good: KeyedCertificate;
  readonly expired: KeyedCertificate;
  readonly notYetValid: KeyedCertificate;
  readonly wrongHost: KeyedCertificate;
  readonly selfSigned: KeyedCertificate;
}

const day = 86_400_000;

interface Wanted {
  readonly name: string;
  readonly fromMs: number;
  readonly toMs: number;
  readonly hosts: readonly string[];
}

/** Makes all of them anew with one pair of keys. */
export function makeBadCertificates(): BadCertificates {
  const now = Date.now();
  const valid = { name: "Test Server", fromMs: now - day, toMs: now + day, hosts: ["localhost"] };
  const authority = makeKeys();
  const server = makeKeys();
  const ca = makeCertificate({ ...valid, name: "Test Authority", hosts: [] }, authority, authority, true);
  const issue = (wanted: Wanted): KeyedCertificate => ({
    cert: makeCertificate(wanted, server, authority, false),
    key: forge.pki.privateKeyToPem(server.privateKey),
  });
  return {
    ca,
    good: issue(valid),
    expired: issue({ ...valid, fromMs: now - 10 * day, toMs: now - day }),
    notYetValid: issue({ ...valid, fromMs: now + day, toMs: now + 2 * day }),
    wrongHost: issue({ ...valid, hosts: ["other.test", "*.elsewhere.test"] }),
    selfSigned: {
      cert: makeCertificate(valid, server, server, false),
      key: forge.pki.privateKeyToPem(server.privateKey),
    },
  };
}

/** OpenSSL makes RSA keys some ten times as fast as the library that signs. */
function makeKeys(): forge.pki.rsa.KeyPair {
  const { publicKey, privateKey } = generateKeyPairSync("rsa", {
    modulusLength: 2048,
    publicKeyEncoding: { type: "spki", format: "pem" },
    privateKeyEncoding: { type: "pkcs1", format: "pem" },
  });
  return {
    publicKey: forge.pki.publicKeyFromPem(publicKey),
    privateKey: forge.pki.privateKeyFromPem(privateKey),
  };
}

function makeCertificate(
  { name, fromMs, toMs, hosts }: Wanted,
  keys: forge.pki.rsa.KeyPair,
  signer: forge.pki.rsa.KeyPair,
  isAuthority: boolean,
): string {
  const certificate = forge.pki.createCertificate();
  certificate.publicKey = keys.publicKey;
  certificate.serialNumber = `01${forge.util.bytesToHex(forge.random.getBytesSync(8))}`;
  certificate.validity.notBefore = new Date(fromMs);
  certificate.validity.notAfter = new Date(toMs);
  certificate.setSubject([{ name: "commonName", value: name }]);
  certificate.setIssuer([{ name: "commonName", value: keys === signer ? name : "Test Authority" }]);
  certificate.setExtensions([
    { name: "basicConstraints", cA: isAuthority },
    ...(isAuthority ? [{ name: "keyUsage", keyCertSign: true, digitalSignature: true }] : []),
    ...(hosts.length === 0
      ? []
      : [{ name: "subjectAltName", altNames: hosts.map((value) => ({ type: 2, value })) }]),
  ]);
  certificate.sign(signer.privateKey, forge.md.sha256.create());
  return forge.pki.certificateToPem(certificate);
}
