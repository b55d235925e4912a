/** The flags that name members of a record: one table for `add` and for `set`. */

import { dirname, relative, resolve } from "node:path";
import { type Command, Option } from "commander";
import {
  authTypes,
  bodyFormats,
  clientAuthentications,
  oauthGrants,
} from "../core/record/api-source.js";
import { createUsageError } from "./terminal.js";
import type { SaveFlags } from "./workspace.js";

/** The flags as commander reads them, by their names in camel case. */
export interface RecordFlags {
  readonly name?: string;
  readonly slug?: string;
  readonly baseUrl?: string;
  readonly auth?: string;
  readonly [flag: string]: unknown;
}

export interface AddFlags extends SaveFlags, RecordFlags {
  readonly from?: string;
  readonly test: boolean;
  /** The variables of the environment that an imported record may send. */
  readonly useVariable?: readonly string[];
  /** The hosts besides the base URL's that an imported record may send secrets to. */
  readonly useHost?: readonly string[];
}

interface RecordFlag {
  readonly option: Option;
  /** The keys that lead to the member. */
  readonly member: readonly string[];
  /** The value of the member. @param before - Its value in the record, @param file - the file of the record. */
  readonly read: (given: unknown, before: unknown, file: string) => unknown;
}

const asText: RecordFlag["read"] = (given) => given;
const asWords = (given: unknown): string[] => String(given).match(/[^\s,]+/g) ?? [];
const asMethods: RecordFlag["read"] = (given) => asWords(String(given).toUpperCase());
/** A document is named from where the command runs, and in a record from where its file is. */
const asFile: RecordFlag["read"] = (given, _before, file) =>
  relative(dirname(file), resolve(String(given)));

/** Each `NAME: value` beside the members that are there. */
const asHeaders: RecordFlag["read"] = (given, before) => {
  const own = new Map(Object.entries(Object(before)));
  for (const line of given as readonly string[]) {
    const [, name, value = ""] = /^([^:\s]+):\s*(.*)$/s.exec(line) ?? [];
    if (name === undefined)
      throw createUsageError(
        '--header has no ":" between a name and a value.',
        "--header 'X-Tenant: acme'",
      );
    for (const key of own.keys()) if (key.toLowerCase() === name.toLowerCase()) own.delete(key);
    own.set(name, value.trim());
  }
  return Object.fromEntries(own);
};

const paging = `--paging '{"next":"meta.cursor","send":"query:cursor"}'`;
const login = `--login '{"path":"/login","body":{"password":"\${SHOP_PASSWORD}"},"tokenAt":"token"}'`;

/** A rule is JSON; a word such as `none` is itself. */
const asJson: RecordFlag["read"] = (given) => {
  const text = String(given);
  try {
    return /^\w+$/.test(text) ? text : JSON.parse(text);
  } catch {
    throw createUsageError(
      "The value of --paging or --login is not JSON.",
      `api-sources set SLUG ${paging}`,
    );
  }
};

const define = (
  usage: string,
  member: string,
  about: string,
  read: RecordFlag["read"] = asText,
  choices: readonly string[] = [],
): RecordFlag => {
  const option = new Option(usage, about);
  if (choices.length > 0) option.choices(choices);
  return { option, member: member.split("."), read };
};

/** The values of an option that may be given again. */
export function collect(value: string, all: readonly string[] = []): string[] {
  return [...all, value];
}

/** A flag that may be given again. */
const defineList = (...given: Parameters<typeof define>): RecordFlag => {
  const flag = define(...given);
  flag.option.description += "; may be given again";
  flag.option.argParser(collect);
  return flag;
};

/** Every flag that names a member. */
export const recordFlags: readonly RecordFlag[] = [
  define("--name <name>", "name", "the API's name for people"),
  define("--slug <slug>", "slug", "the tool's name"),
  define("--tagline <text>", "tagline", "one line about what the API is for"),
  define("--base-url <url>", "api.baseUrl", "the URL that every path is below"),
  define("--auth <type>", "api.authType", "how the credential is sent", asText, [
    ...authTypes,
    "none",
  ]),
  define("--header-name <name>", "api.headerName", "the header of --auth header"),
  define("--query-param <name>", "api.queryParam", "the parameter of --auth query"),
  define("--auth-scheme <word>", "api.authScheme", 'the word before a bearer token; "" for none'),
  define(
    "--test-endpoint <path>",
    "api.testEndpoint",
    "a GET that only a valid credential may read",
  ),
  defineList(
    "--header <line>",
    "api.headers",
    "a header of every call, as 'Name: value'",
    asHeaders,
  ),
  define(
    "--methods <list>",
    "api.methods",
    "the only methods that are allowed, as GET,POST",
    asMethods,
  ),
  defineList(
    "--allow <path>",
    "api.paths.allow",
    "the only paths that may be called, as '/issues/**'",
  ),
  defineList("--deny <path>", "api.paths.deny", "paths that may not be called, as '/admin/**'"),
  define("--body-format <format>", "api.bodyFormat", "how a body is written", asText, bodyFormats),
  define("--openapi <file>", "api.openapi", "the OpenAPI document of the API", asFile),
  define(
    "--guide <file>",
    "api.guide",
    "a Markdown file for people who are new to the API",
    asFile,
  ),
  define("--paging <json>", "api.paging", `how the API pages: ${paging}, or none`, asJson),
  define("--login <json>", "api.login", `a call that gives a token: ${login}`, asJson),
  define("--confidential", "api.confidential", "hold its content back from other sources"),
  define(
    "--shares-with <list>",
    "api.sharesWith",
    "the sources that it may reach, as hr,crm",
    asWords,
  ),
  define("--oauth2 <grant>", "api.oauth2.grant", "how a token is obtained", asText, oauthGrants),
  define(
    "--issuer <url>",
    "api.oauth2.issuer",
    "the authorization server, whose endpoints are looked up",
  ),
  define("--token-url <url>", "api.oauth2.tokenUrl", "the token endpoint of --oauth2"),
  define("--authorization-url <url>", "api.oauth2.authorizationUrl", "where a person agrees"),
  define(
    "--device-url <url>",
    "api.oauth2.deviceAuthorizationUrl",
    "where a device code is requested",
  ),
  define(
    "--client-id <id>",
    "api.oauth2.clientId",
    "the client id (default: a variable of the source)",
  ),
  define(
    "--client-secret <variable>",
    "api.oauth2.clientSecret",
    "the variable of the secret, as '${NAME}'",
  ),
  define(
    "--client-auth <how>",
    "api.oauth2.clientAuthentication",
    "how the client proves itself",
    asText,
    clientAuthentications,
  ),
  define("--scopes <list>", "api.oauth2.scopes", "the scopes, with spaces between them"),
  define("--audience <name>", "api.oauth2.audience", "which API the token is for"),
  define("--redirect-uri <url>", "api.oauth2.redirectUri", "where the browser goes with the code"),
];

export function addRecordFlags(command: Command): Command {
  for (const { option } of recordFlags) command.addOption(option);
  const store = new Option("--store <where>", "where the credential is kept").choices([
    "env",
    "keyring",
  ]);
  return command
    .addOption(store.default("env"))
    .option("--secret-stdin", "read the credential from standard input (basic: username:password)");
}
