/** The commands and their flags. What a command does is loaded when it runs, so that `list` and `--help` start at once. */

import { createRequire } from "node:module";
import { Command, CommanderError, Option } from "commander";
import type { Terminal } from "./terminal.js";
import type { CommonFlags } from "./workspace.js";

/** Runs one command line. @returns the exit code. @throws what the command throws; `presentError` turns it into a code. */
export async function runCommandLine(argv: readonly string[], terminal: Terminal): Promise<number> {
  let exitCode = 0;
  const run = (work: (terminal: Terminal) => Promise<number>): Promise<void> =>
    work(terminal).then((code) => {
      exitCode = code;
    });
  const program = createProgram(terminal, run);
  try {
    await program.parseAsync(argv, { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return 0;
    const name = argv.find((word) => Object.hasOwn(rightLines, word));
    terminal.tell(`Right would be: ${name === undefined ? "api-sources --help" : rightLines[name]}`);
    return 2;
  }
  return exitCode;
}

/** For each command, a line that is right. */
export const rightLines: Readonly<Record<string, string>> = {
  add: "api-sources add --base-url https://api.example.com --auth bearer --test-endpoint /me",
  list: "api-sources list",
  show: "api-sources show SLUG",
  test: "api-sources test [SLUG...]",
  call: "api-sources call SLUG GET /path --query name=value",
  remove: "api-sources remove SLUG --yes",
  env: "api-sources env > .env.example",
  schema: "api-sources schema > api-source.schema.json",
  doctor: "api-sources doctor",
  mcp: "api-sources mcp --dir ./sources",
  login: "api-sources login SLUG",
  logout: "api-sources logout SLUG",
  completion: "api-sources completion bash",
};

type Run = (work: (terminal: Terminal) => Promise<number>) => Promise<void>;

export function createProgram(terminal: Terminal, run: Run): Command {
  const program = new Command("api-sources");
  program
    .description("Registers HTTP APIs as sources for agents, tests them and calls them.")
    .option("--dir <dir>", "the directory of the records (default: API_SOURCES_DIR, else ./sources)")
    .option("--json", "print results as JSON")
    .option("--yes", "ask nothing: take the default, replace and remove without a question")
    .option("-e, --env-file <file>", "the file that credentials are read from and written to (default: .env)")
    .version(readVersion(), "--version", "print the version")
    .exitOverride()
    .configureOutput({ writeOut: terminal.print, writeErr: terminal.tell })
    .showSuggestionAfterError(true)
    .addHelpText(
      "after",
      "\nExit codes: 0 done, 1 failed or a test that isn't ok, 2 wrong usage or a wrong record,\n4 or 5 the API's status family, 6 refused by policy, 130 interrupted.",
    );
  addAdd(program, run);
  addReading(program, run);
  addCall(program, run);
  addRest(program, run);
  return program;
}

/** Of the package that this file is in. */
function readVersion(): string {
  const manifest: { readonly version?: string } = createRequire(import.meta.url)(
    "langchain-api-sources/package.json",
  );
  return manifest.version ?? "0";
}

function addAdd(program: Command, run: Run): void {
  program
    .command("add")
    .description("add a source: asks for what is missing, tests it, then saves it")
    .option(
      "--from <file>",
      "read an OpenAPI, Swagger, Postman or HAR document or a curl line; - for standard input",
    )
    .option("--server <number>", "which server of --from, from 1")
    .option("--scheme <name>", "which security scheme of --from")
    .option("--name <name>", "what people call the API")
    .option("--base-url <url>", "the URL that every path is below")
    .addOption(
      new Option("--auth <type>", "how the credential is sent").choices([
        "bearer",
        "header",
        "query",
        "basic",
        "none",
      ]),
    )
    .option("--header-name <name>", "the header of --auth header")
    .option("--query-param <name>", "the parameter of --auth query")
    .option("--auth-scheme <word>", 'the word before a bearer token; "" for none')
    .option("--test-endpoint <path>", "a light GET that only a valid credential may read, such as /me")
    .option("--tagline <text>", "one line that says what the API is for")
    .option("--slug <slug>", "the tool's name")
    .option("--secret-stdin", "read the credential from standard input (basic: username:password)")
    .addOption(
      new Option("--store <where>", "where the credential is kept")
        .choices(["env", "keyring"])
        .default("env"),
    )
    .option("--no-test", "save without a test")
    .action((_flags, command: Command) =>
      run(async (terminal) => (await import("./add.js")).addSource(command.optsWithGlobals(), terminal)),
    );
}

function addReading(program: Command, run: Run): void {
  program
    .command("list")
    .description("list the sources")
    .action((_flags, command: Command) =>
      run(async (terminal) => (await import("./list.js")).listSources(command.optsWithGlobals(), terminal)),
    );
  program
    .command("show")
    .argument("<slug>", "the source")
    .description("print the record of a source")
    .action((slug: string, _flags, command: Command) =>
      run(async (terminal) =>
        (await import("./list.js")).showSource(slug, command.optsWithGlobals(), terminal),
      ),
    );
  program
    .command("test")
    .argument("[slug...]", "the sources; all when none is named")
    .description("test the connection of sources")
    .action((slugs: string[], _flags, command: Command) =>
      run(async (terminal) =>
        (await import("./test.js")).testSources(slugs, command.optsWithGlobals(), terminal),
      ),
    );
}

function addCall(program: Command, run: Run): void {
  const collect = (value: string, all: readonly string[]): string[] => [...all, value];
  program
    .command("call")
    .argument("<slug>", "the source")
    .argument("<method>", "GET, POST, PUT, PATCH or DELETE")
    .argument("<path>", "the path below the base URL")
    .description("call an endpoint and print what the model would see")
    .option("--query <name=value>", "a query parameter; may be given again", collect, [])
    .option("--header <line>", "a header, as 'Name: value'; may be given again", collect, [])
    .option("--body <json>", "the body as JSON, @FILE, or - for standard input")
    .option("--select <expression>", "a JMESPath over the answer's body")
    .option("--pages <count>", "read so many pages into one answer")
    .option("--full", "print the whole body instead of what the model would see")
    .option("--curl", "print the request as a curl line and send nothing")
    .action((slug: string, method: string, path: string, _flags, command: Command) =>
      run(async (terminal) =>
        (await import("./call.js")).callSource({ slug, method, path }, command.optsWithGlobals(), terminal),
      ),
    );
}

function addRest(program: Command, run: Run): void {
  program
    .command("remove")
    .argument("<slug>", "the source")
    .description("remove a source")
    .option("--drop-credential", "also remove its credential from the environment file and the keyring")
    .action((slug: string, _flags, command: Command) =>
      run(async (terminal) =>
        (await import("./remove.js")).removeSource(slug, command.optsWithGlobals(), terminal),
      ),
    );
  program
    .command("env")
    .description("print the .env.example of the sources: the variables, without values")
    .action((_flags, command: Command) =>
      run(async (terminal) => (await import("./env.js")).printVariables(command.optsWithGlobals(), terminal)),
    );
  program
    .command("schema")
    .description("print the JSON Schema of a record")
    .action(() => run(async (terminal) => (await import("./env.js")).printSchema(terminal)));
  program
    .command("doctor")
    .description("look for what is wrong around the sources: records, variables, clock, proxy, Node.js")
    .action((_flags, command: Command) =>
      run(async (terminal) => (await import("./doctor.js")).checkHealth(command.optsWithGlobals(), terminal)),
    );
  program
    .command("mcp")
    .description("serve the sources as tools to an MCP client, over standard input and output")
    .addOption(
      new Option("--approve <calls>", "which calls the client must ask a person about")
        .choices(["writes", "all", "none"])
        .default("writes"),
    )
    .action((_flags, command: Command) =>
      run(async (terminal) =>
        (await import("./mcp.js")).serveSources(command.optsWithGlobals(), terminal, readVersion()),
      ),
    );
  program
    .command("login")
    .argument("<slug>", "the source")
    .description("have a person authorize a source, in a browser or by a code, and keep the grant")
    .option("--no-browser", "print the address and open no browser")
    .action((slug: string, _flags, command: Command) =>
      run(async (terminal) => (await import("./login.js")).logIn(slug, command.optsWithGlobals(), terminal)),
    );
  program
    .command("logout")
    .argument("<slug>", "the source")
    .description("forget the grant of a source")
    .action((slug: string, _flags, command: Command) =>
      run(async (terminal) => (await import("./login.js")).logOut(slug, command.optsWithGlobals(), terminal)),
    );
  program
    .command("completion")
    .argument("<shell>", "bash, zsh, fish or powershell")
    .description("print the shell's completion script")
    .action((shell: string) =>
      run(async (terminal) => (await import("./completion.js")).printCompletion(shell, program, terminal)),
    );
}

export type { CommonFlags };
