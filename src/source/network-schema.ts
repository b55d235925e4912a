/** The zod schema of `api.network`. */

import { z } from "zod";
import type { SourceNetwork } from "./api-source.js";
import { fillSecrets, findSecretNames, hasBrokenSecret } from "./find-placeholders.js";
import type { Flaw } from "./flaw.js";
import { implies } from "./implies.js";
import { reportFlaw } from "./report-flaw.js";
import { brokenSecretFlaw } from "./text-schema.js";

const pem = (description: string) =>
  z
    .string()
    .min(1)
    .superRefine(reportFlaw((text) => (hasBrokenSecret(text) ? brokenSecretFlaw : undefined)))
    .exactOptional()
    .meta({ description });

const shape = {
  proxy: z
    .string()
    .superRefine(reportFlaw(findProxyFlaw))
    .exactOptional()
    .meta({
      description:
        'The URL of an HTTP proxy; "${NAME}" for a password in it. The environment\'s proxy variables are not read.',
      examples: ["http://proxy.example.com:3128"],
    }),
  ca: pem("PEM text, or a path to it, of certificate authorities to trust in addition to Node's."),
  cert: pem("PEM text, or a path to it, of the client certificate; comes with `key`."),
  key: pem(
    'PEM text, or a path to it, of the client certificate\'s key; "${NAME}" keeps it out of the record.',
  ),
  allowLocalAddresses: z.boolean().exactOptional().meta({
    description:
      "Whether a public-looking host name may resolve to a loopback, link-local or metadata address.",
    default: false,
  }),
};

export const networkKeys: readonly string[] = Object.keys(shape);

export const networkSchema: z.ZodType<Partial<SourceNetwork>> = z.looseObject(shape).meta({
  description: "How this source is reached.",
  // A certificate without its key proves nothing, and a key without its certificate names no one (RFC 8446, 4.4.2).
  allOf: [
    implies({ required: ["cert"] }, { required: ["key"] }),
    implies({ required: ["key"] }, { required: ["cert"] }),
  ],
});

function findProxyFlaw(text: string): Flaw | undefined {
  if (hasBrokenSecret(text)) return brokenSecretFlaw;
  // A proxy that is a secret as a whole is checked when the secret is known.
  if (/^\$\{[^{}]*\}$/.test(text)) return undefined;
  const sample = fillSecrets(text, () => "1");
  const url = URL.canParse(sample) ? new URL(sample) : undefined;
  if (!url || !/^https?:\/\//i.test(text) || url.hostname === "") {
    return {
      message: "is not an absolute http or https URL",
      fix: 'Write the proxy\'s address, such as "http://proxy.example.com:3128".',
    };
  }
  if (url.password === "" || findSecretNames(/\/\/([^/]*)@/.exec(text)?.[1] ?? "").length > 0)
    return undefined;
  return {
    message: "carries a password",
    fix: 'Put it into the environment: "http://user:${PROXY_PASSWORD}@proxy.example.com:3128".',
  };
}
