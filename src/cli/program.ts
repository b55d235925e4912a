/** The commands and their flags. What a command does is loaded when it runs, so that `list` and `--help` start at once. */

import { createRequire } from "node:module";
import { Argument, Command, CommanderError, Option } from "commander";
import { addRecordFlags, collect } from "./record-flags.js";
import type { McpFlags } from "./serve.js";
import type { Terminal } from "./terminal.js";
import type { CommonFlags } from "./workspace.js";

/** Runs one command line. @returns the exit code. @throws what the command throws; `presentError` turns it into a code. */
export async function runCommandLine(argv: readonly string[], terminal: Terminal): Promise<number> {
  let exitCode = 0;
  const program = createProgram(terminal, (code) => {
    exitCode = code;
  });
  try {
    await program.parseAsync(argv, { from: "user" });
    return exitCode;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return error.exitCode === 0 ? 0 : 2;
  }
}

function rightLine(words: string): string {
  return `Right would be: api-sources ${words}`;
}

function createProgram(terminal: Terminal, finish: (exitCode: number) => void): Command {
  const program = new Command("api-sources")
    .description("Registers HTTP APIs as sources for agents, tests them and calls them.")
    .option("--dir <dir>", "the directory of the records (default: API_SOURCES_DIR, else ./sources)")
    .option("--json", "print results as JSON")
    .option("--yes", "ask nothing: take the default, and remove without a question")
    .option("-e, --env-file <file>", "the file that credentials are read from and written to (default: .env)")
    .version(readVersion(), "--version", "print the version")
    .exitOverride()
    .configureOutput({ writeOut: (text) => terminal.print(text), writeErr: (text) => terminal.note(text) })
    .showHelpAfterError(rightLine("--help"))
    .addHelpText(
      "after",
      "\nExit codes: 0 done, 1 failed or a test that isn't ok, 2 wrong usage or a wrong record,\n4 or 5 the API's status family, 6 refused by policy, 130 interrupted.",
    );
  const define: Define = (usage, description, right, load) => {
    const command = program.command(usage).description(description).showHelpAfterError(rightLine(right));
    return command.action(async () => {
      const run = await load();
      finish(await run(command.optsWithGlobals<never>(), terminal, ...(command.processedArgs as never[])));
    });
  };
  defineAdd(define);
  defineReading(define);
  defineCall(define);
  defineRest(define);
  define("completion", "print the shell's completion script", "completion bash", async () => {
    const { printCompletion } = await import("./completion.js");
    return (flags: CommonFlags, _terminal, shell: string) => printCompletion(flags, terminal, shell, program);
  }).addArgument(new Argument("<shell>").choices(["bash", "zsh", "fish", "powershell", "slugs"]));
  return program;
}

/** Adds a command. `right` is a line of it that is right; `load` gives what it does, from its flags and arguments to the exit code. */
type Define = (
  usage: string,
  description: string,
  right: string,
  load: () => Promise<(flags: never, terminal: Terminal, ...args: never[]) => Promise<number>>,
) => Command;

/** Of the package that this file is in. */
function readVersion(): string {
  const manifest: { readonly version?: string } = createRequire(import.meta.url)(
    "langchain-api-sources/package.json",
  );
  return manifest.version ?? "0";
}

function defineAdd(define: Define): void {
  const withStore = (command: Command): Command =>
    addRecordFlags(command)
      .option("--secret-stdin", "read the credential from standard input (basic: username:password)")
      .addOption(
        new Option("--store <where>", "where the credential is kept")
          .choices(["env", "keyring"])
          .default("env"),
      );
  withStore(
    define(
      "add [url]",
      "add a source, or change one: asks for missing values, tests it, then saves it",
      "add https://api.example.com --auth bearer --test-endpoint /me",
      async () => (await import("./add.js")).addSource,
    ),
  )
    .option(
      "--from <file>",
      "read an OpenAPI, Swagger, Postman or HAR document or a curl line; - for standard input",
    )
    .option("--server <number>", "which server of --from, from 1")
    .option("--scheme <name>", "which security scheme of --from")
    .option("--slug <slug>", "the tool's name")
    .option(
      "--use-variable <name>",
      "a variable of the environment that --from may send; may be given again",
      collect,
      [],
    )
    .option("--replace", "replace the record of that name, and list the dropped members")
    .option("--no-test", "save without a test");
  withStore(
    define(
      "set <slug>",
      "change only the named fields of a source",
      "set SLUG --test-endpoint /me --methods GET --deny '/admin/**'",
      async () => (await import("./change.js")).setSource,
    ),
  ).option("--unset <member>", "remove a member, such as paths.deny; may be given again", collect, []);
}

function defineReading(define: Define): void {
  define("list", "list the sources", "list", async () => (await import("./list.js")).listSources);
  define(
    "show <slug>",
    "print the record of a source",
    "show SLUG",
    async () => (await import("./list.js")).showSource,
  );
  define(
    "test [slug...]",
    "test the connection of sources; of all without a name",
    "test [SLUG...]",
    async () => (await import("./test.js")).testSources,
  );
  define(
    "env",
    "print the .env.example of the sources: the variables, without values",
    "env > .env.example",
    async () => (await import("./list.js")).printVariables,
  );
  define(
    "schema",
    "print the JSON Schema of a record",
    "schema > api-source.schema.json",
    async () => (await import("./list.js")).printSchema,
  );
  define(
    "doctor",
    "look for problems around the sources: records, variables, clock, proxy, Node.js",
    "doctor",
    async () => (await import("./doctor.js")).checkHealth,
  );
}

function defineCall(define: Define): void {
  define(
    "call <slug> <method> <path>",
    "call an endpoint (GET, POST, PUT, PATCH or DELETE) and print what the model would see",
    "call SLUG GET /path --query name=value",
    async () => (await import("./call.js")).runCall,
  )
    .option("--query <name=value>", "a query parameter; may be given again", collect, [])
    .option("--header <line>", "a header, as 'Name: value'; may be given again", collect, [])
    .option("--body <json>", "the body as JSON, @FILE, or - for standard input")
    .option(
      "--form <label=value>",
      "a part of a multipart body, @FILE for a file; may be given again",
      collect,
    )
    .option("--select <expression>", "a JMESPath over the answer's body")
    .option("--pages <count>", "how many pages to read into one answer")
    .option("--wait <seconds>", "how long to wait for a job, or for a GET whose work is unfinished")
    .option("--until <jmespath>", "is true for the response when the work is finished")
    .option("--full", "print the whole body instead of what the model would see")
    .option("--output <file>", "save the body in a file, or under its own name in a directory")
    .option("--force", "let --output overwrite a file")
    .option("--record <dir>", "add the requests and the API's answers to the recordings in this directory")
    .option("--replay <dir>", "answer from the recordings in this directory and send nothing")
    .option("--curl", "print the request as a curl line and send nothing");
}

function defineRest(define: Define): void {
  define(
    "log",
    "print the calls that an application wrote with journalTo, one line each",
    "log --journal calls.jsonl --failed",
    async () => (await import("./log.js")).printLog,
  )
    .option("--journal <file>", "the file of the journal", "calls.jsonl")
    .option("--follow", "also print new lines, until Ctrl-C")
    .option("--source <slug>", "only the calls of this source")
    .option("--failed", "only the calls that failed");
  define(
    "inspect",
    "open a page on this machine that shows calls: those made on it, and those of a journal",
    "inspect --journal calls.jsonl",
    async () => (await import("./serve.js")).inspectCalls,
  )
    .option("--journal <file>", "also list the calls of this journal, and follow it")
    .option("--approve", "let writes of the page's calls be approved on it, by everyone who has its address")
    .option("--open", "open the page in a browser");
  define(
    "remove <slug>",
    "remove a source",
    "remove SLUG --yes",
    async () => (await import("./change.js")).removeSource,
  ).option("--drop-credential", "also remove its credential from the environment file and the keyring");
  define(
    "mcp",
    "serve the sources as tools to an MCP client, over standard input and output",
    "mcp --dir ./sources",
    async () => {
      const { serveSources } = await import("./serve.js");
      return (flags: McpFlags, terminal) => serveSources(flags, terminal, readVersion());
    },
  )
    .addOption(
      new Option("--approve <calls>", "which calls the client must ask a person about")
        .choices(["writes", "all", "none"])
        .default("writes"),
    )
    .option("--code", "also serve run_api_code, which runs JavaScript over the sources")
    .addOption(
      new Option(
        "--print-config <client>",
        "print the entry for the client's configuration, and serve nothing",
      ).choices(["claude", "cursor", "vscode"]),
    );
  define(
    "login <slug>",
    "have a person authorize a source, in a browser or by a code, and keep the grant",
    "login SLUG",
    async () => (await import("./login.js")).logIn,
  ).option("--no-browser", "print the address and open no browser");
  define(
    "logout <slug>",
    "forget the grant of a source",
    "logout SLUG",
    async () => (await import("./login.js")).logOut,
  );
}
