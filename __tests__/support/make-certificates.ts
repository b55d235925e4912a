/** A private authority with a server certificate for 127.0.0.1 and localhost, and a client certificate. */

import forge from "node-forge";

export interface Certificates {
  /** PEM texts. */
  readonly ca: string;
  readonly server: { readonly cert: string; readonly key: string };
  readonly client: { readonly cert: string; readonly key: string };
}

const hour = 3_600_000;

/** Makes all of them anew; takes some tenths of a second. */
export function makeCertificates(): Certificates {
  const authority = forge.pki.rsa.generateKeyPair(2048);
  const ca = makeCertificate({
    name: "Test Authority",
    keys: authority,
    issuer: "Test Authority",
    signer: authority,
  });
  const issue = (name: string): { cert: string; key: string } => {
    const keys = forge.pki.rsa.generateKeyPair(2048);
    return {
      cert: makeCertificate({ name, keys, issuer: "Test Authority", signer: authority }),
      key: forge.pki.privateKeyToPem(keys.privateKey),
    };
  };
  return { ca, server: issue("localhost"), client: issue("Test Client") };
}

function makeCertificate(parts: {
  readonly name: string;
  readonly keys: forge.pki.rsa.KeyPair;
  readonly issuer: string;
  readonly signer: forge.pki.rsa.KeyPair;
}): string {
  const isAuthority = parts.name === parts.issuer;
  const certificate = forge.pki.createCertificate();
  certificate.publicKey = parts.keys.publicKey;
  certificate.serialNumber = `01${forge.util.bytesToHex(forge.random.getBytesSync(8))}`;
  certificate.validity.notBefore = new Date(Date.now() - hour);
  certificate.validity.notAfter = new Date(Date.now() + 24 * hour);
  certificate.setSubject([{ name: "commonName", value: parts.name }]);
  certificate.setIssuer([{ name: "commonName", value: parts.issuer }]);
  certificate.setExtensions([
    { name: "basicConstraints", cA: isAuthority },
    ...(isAuthority ? [{ name: "keyUsage", keyCertSign: true, digitalSignature: true }] : []),
    {
      name: "subjectAltName",
      altNames: [
        { type: 2, value: "localhost" },
        { type: 2, value: "api.test" },
        { type: 7, ip: "127.0.0.1" },
      ],
    },
  ]);
  certificate.sign(parts.signer.privateKey, forge.md.sha256.create());
  return forge.pki.certificateToPem(certificate);
}
