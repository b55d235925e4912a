/** Certificates of an authority made for the test: good ones, a client's, and those that a client must refuse, each for its own reason. */

import { generateKeyPairSync } from "node:crypto";
import forge from "node-forge";

export interface KeyedCertificate {
  /** PEM texts. */
  readonly cert: string;
  readonly key: string;
}

export type BadCertificates = ReturnType<typeof makeBadCertificates>;

interface Wanted {
  readonly name?: string;
  readonly hosts?: readonly string[];
  /** Days from now. */
  readonly from?: number;
  readonly to?: number;
}

const day = 86_400_000;
const authorityName = "Test Authority";

/** A private authority with a server certificate for 127.0.0.1, localhost and api.test, and a client certificate. */
export function makeCertificates() {
  const { ca, issue } = makeAuthority();
  return { ca, server: issue({}), client: issue({ name: "Test Client" }) };
}

/** `ca` signed all but the self-signed one. */
export function makeBadCertificates() {
  const { ca, issue } = makeAuthority();
  const own = makeKeys();
  return {
    ca,
    good: issue({}),
    expired: issue({ from: -10, to: -1 }),
    notYetValid: issue({ from: 1, to: 2 }),
    wrongHost: issue({ hosts: ["other.test", "*.elsewhere.test"] }),
    selfSigned: { cert: sign({}, own, own), key: forge.pki.privateKeyToPem(own.privateKey) },
  };
}

function makeAuthority() {
  const authority = makeKeys();
  return {
    ca: sign({ name: authorityName, hosts: [] }, authority, authority),
    issue(wanted: Wanted): KeyedCertificate {
      const keys = makeKeys();
      return {
        cert: sign(wanted, keys, authority),
        key: forge.pki.privateKeyToPem(keys.privateKey),
      };
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

function sign(wanted: Wanted, keys: forge.pki.rsa.KeyPair, signer: forge.pki.rsa.KeyPair): string {
  const { name = "Test Server", hosts = ["localhost", "api.test"], from = -1, to = 1 } = wanted;
  const isAuthority = name === authorityName;
  const certificate = forge.pki.createCertificate();
  certificate.publicKey = keys.publicKey;
  certificate.serialNumber = `01${forge.util.bytesToHex(forge.random.getBytesSync(8))}`;
  certificate.validity.notBefore = new Date(Date.now() + from * day);
  certificate.validity.notAfter = new Date(Date.now() + to * day);
  certificate.setSubject([{ name: "commonName", value: name }]);
  certificate.setIssuer([{ name: "commonName", value: keys === signer ? name : authorityName }]);
  const address = { type: 7, ip: "127.0.0.1" };
  const altNames = [
    ...hosts.map((value) => ({ type: 2, value })),
    ...(wanted.hosts ? [] : [address]),
  ];
  certificate.setExtensions([
    { name: "basicConstraints", cA: isAuthority },
    ...(isAuthority ? [{ name: "keyUsage", keyCertSign: true, digitalSignature: true }] : []),
    ...(altNames.length === 0 ? [] : [{ name: "subjectAltName", altNames }]),
  ]);
  certificate.sign(signer.privateKey, forge.md.sha256.create());
  return forge.pki.certificateToPem(certificate);
}
