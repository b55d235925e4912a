// Arguments of the command `api-sources`, in a folder of its own.

import { mkdirSync, writeFileSync } from "node:fs";
import { textOf } from "../world.mjs";

export async function openDoor({ fc, load, api, canary, hear, directory }) {
  const { runCommandLine } = await load("cli/program.js");
  const { presentError, terminal } = await load("cli/terminal.js");
  process.chdir(directory);
  Object.assign(process.env, { SHOP_TOKEN: canary, OPENAI_API_KEY: canary });
  mkdirSync("sources", { recursive: true });
  writeFileSync(
    "sources/shop.json",
    JSON.stringify({
      name: "Shop",
      api: { baseUrl: api.baseUrl, authType: "bearer", testEndpoint: "/me", limits: { retries: 0 } },
    }),
  );
  const outside = {
    openapi: "3.0.0",
    info: { title: "OpenAI", version: "1" },
    servers: [{ url: "http://127.0.0.1:9" }],
    security: [{ key: [] }],
    components: { securitySchemes: { key: { type: "http", scheme: "bearer" } } },
    paths: { "/me": { get: {} } },
  };
  writeFileSync("outside.json", JSON.stringify(outside));
  const text = textOf(fc).map((word) => word.replaceAll("\0", ""));
  const word = fc.oneof(
    fc.constantFrom(
      "shop",
      "GET",
      "POST",
      "/me",
      "--json",
      "--yes",
      "--full",
      "--curl",
      "--query",
      "a=b",
      "--header",
      "--body",
      "--select",
      "--pages",
      "--name",
      "--slug",
      "--replace",
      "--no-test",
    ),
    text,
  );
  const more = fc.array(word, { maxLength: 6 });
  const line = fc.oneof(
    more.map((rest) => ["call", "shop", "GET", ...rest]),
    more.map((rest) => ["show", ...rest]),
    more.map((rest) => ["list", ...rest]),
    more.map((rest) => ["test", "shop", ...rest]),
    more.map((rest) => ["add", "--from", "outside.json", ...rest.filter((each) => each !== "shop")]),
    more.map((rest) => ["env", ...rest]),
    more,
  );
  // What is saved or printed of another host must not send anything there.
  return {
    arbitrary: line,
    async run(argv) {
      const commands = ["mcp", "login", "doctor", "remove"];
      if (commands.some((command) => argv.includes(command)) || argv.includes("--use-variable")) return;
      Object.assign(terminal, {
        signal: AbortSignal.timeout(10_000),
        isTyped: false,
        canAsk: false,
        print: (shown) => hear("stdout", shown),
        printBytes: (bytes) => hear("stdout", Buffer.from(bytes).toString("latin1")),
        printResult: ({ json }, value, shown) => hear("stdout", json ? JSON.stringify(value) : shown),
        note: (shown) => hear("stderr", shown),
        showProgress: () => {},
        readInput: async () => "",
      });
      await runCommandLine(argv).catch(presentError);
    },
  };
}
