/** Secrets that are hard to redact; none is real. */

export const pem = `-----BEGIN PRIVATE KEY-----
MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7notRealAtAll+
abcdEFGHijklMNOPqrstUVWXyz0123456789+/abcdEFGHijklMNOPqrstUVWXyz01
Zm9vYmFyYmF6cXV4Zm9vYmFyYmF6cXV4
-----END PRIVATE KEY-----
`;

export const nastySecrets: readonly string[] = [
  'sk-live/S3cr+t=="q&<é日本',
  "8675309123",
  "550e8400-e29b-41d4-a716-446655440000",
  `it's"a\\b'c"d/e+f`,
  "日本語のパスワード",
  "!@#$%^&*()_+{}",
  "ghp_abcdefghijklmnopqrstuvwxyz0123456789",
  "C:\\new\\table%41",
  "emoji😀pässword",
  "two words + one",
  "$&$1$`[REDACT",
  "a.b.c.d.e.f.g",
  "back\\\\slash\\u0041bc",
  "eyJhbGciOiJub25lIn0.eyJzdWIiOiIxIn0.c2lnbmF0dXJl",
];
