/** Writes the table of docs/recipes.md from recipes/*.json; with `--check` it only compares, and ends with 1 where they differ. */

import { readdirSync, readFileSync, writeFileSync } from "node:fs";

const page = "docs/recipes.md";
const begin = "<!-- recipes: written by scripts/write-recipes.mjs -->\n";
const end = "<!-- end of recipes -->";

/** How the credential is sent, in a few words. */
function describeCredential({ authType, authScheme, headerName, queryParam, oauth2, login }) {
  const carriers = {
    bearer:
      authScheme === undefined ? "bearer" : authScheme === "" ? "the bare token" : `scheme \`${authScheme}\``,
    header: `header \`${headerName}\``,
    query: `query \`${queryParam}\``,
    basic: "basic",
  };
  const grant = oauth2 === undefined ? (login === undefined ? [] : ["`login`"]) : [`\`${oauth2.grant}\``];
  return [carriers[authType], ...grant].join(", ");
}

const rows = readdirSync("recipes")
  .filter((name) => name.endsWith(".json"))
  .sort()
  .map((name) => {
    const { api, "x-recipe": note } = JSON.parse(readFileSync(`recipes/${name}`, "utf8"));
    const { about, source, checked, lists, unchecked = [] } = note;
    const pages = lists === undefined ? "–" : `[${lists.by}](${lists.source})`;
    const open = unchecked.length === 0 ? "" : ` Not checked: ${unchecked.join(", ")}.`;
    const link = `[\`${name.replace(/\.json$/, "")}\`](../recipes/${name})`;
    return `| ${link} | ${describeCredential(api)} | ${pages} | ${about}${open} | [${checked}](${source}) |`;
  });
const table = [
  "| Recipe | Credential | How its lists page | What to know | Checked |",
  "|---|---|---|---|---|",
  ...rows,
].join("\n");

const text = readFileSync(page, "utf8");
const [before = "", rest = ""] = text.split(begin);
const [, after = ""] = rest.split(end);
const written = `${before}${begin}\n${table}\n\n${end}${after}`;
if (written !== text && process.argv.includes("--check")) {
  console.error(`${page} differs from recipes/*.json. Run: node scripts/write-recipes.mjs`);
  process.exitCode = 1;
} else writeFileSync(page, written);
