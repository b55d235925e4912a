// Two `tsc` runs make the ESM and the CommonJS build; the record's JSON Schema is written from the zod schema.
import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, rmSync, writeFileSync } from "node:fs";

function compile(config, ...options) {
  const program = ["node_modules/typescript/bin/tsc", "-p", config, ...options];
  execFileSync(process.execPath, program, { stdio: "inherit" });
}

rmSync("dist", { recursive: true, force: true });
for (const config of ["tsconfig.esm.json", "tsconfig.cjs.json"]) {
  // Comments are for whoever reads the types in an editor; programs load less without them.
  compile(config, "--emitDeclarationOnly");
  compile(config, "--declaration", "false", "--isolatedDeclarations", "false", "--removeComments");
}
// The command is ESM alone; npm sets this mode when it installs, a link to this folder needs it too.
chmodSync("dist/esm/cli/main.js", 0o755);
mkdirSync("dist/cjs", { recursive: true });
// Without this file Node would read dist/cjs/*.js as ESM, because the package is "type": "module".
writeFileSync("dist/cjs/package.json", `${JSON.stringify({ type: "commonjs" })}\n`);

const { apiSourceJsonSchema } = await import("../dist/esm/index.js");
writeFileSync("dist/api-source.schema.json", `${JSON.stringify(apiSourceJsonSchema, null, 2)}\n`);
