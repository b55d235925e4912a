/** `add` with the name of a known API: it begins with the recipe. */

import { readFile } from "node:fs/promises";
import { describe, expect, it } from "@jest/globals";
import { openCommandLine } from "../support/command-line.js";

const command = await openCommandLine("cli-recipe");
const add = (...args: string[]) => command.run(["add", ...args, "--no-test", "--yes"]);
const readRecord = async (slug: string) => JSON.parse(await command.read(`sources/${slug}.json`));
const readRecipe = async (name: string) => {
  const { "x-recipe": note, ...record } = JSON.parse(
    await readFile(`recipes/${name}.json`, "utf8"),
  );
  return { note, record };
};

describe("add with the name of a recipe", () => {
  it.each(["github", "GitHub"])(
    "saves its record without the note, and reports what to know: %s",
    async (name) => {
      const { code, stderr } = await add(name);
      const { note, record } = await readRecipe("github");
      expect([code, stderr]).toEqual([0, expect.stringContaining(`Note: ${note.about}`)]);
      const saved = await readRecord("github");
      expect(saved).toMatchObject(record);
      expect(saved).not.toHaveProperty("x-recipe");
    },
  );

  it("reports which values are examples, and what was not checked", async () => {
    const { stderr } = await add("salesforce");
    expect(stderr).toContain(
      "Note: Examples to replace: api.variables.domain, api.oauth2.clientId.",
    );
    expect(stderr).toContain("Note: Not checked against the documentation: whether a user");
    expect((await readRecord("salesforce")).api.oauth2.clientSecret).toBe(
      "$" + "{SALESFORCE_CLIENT_SECRET}",
    );
  });

  it("takes flags in the place of the recipe's fields, and both spellings of its name", async () => {
    await add("google_calendar", "--name", "Team Calendar", "--test-endpoint", "/colors");
    expect(await readRecord("team_calendar")).toMatchObject({
      name: "Team Calendar",
      api: { baseUrl: "https://www.googleapis.com/calendar/v3", testEndpoint: "/colors" },
    });
    await add("gitlab", "--base-url", "https://git.example.com/api/v4");
    expect((await readRecord("gitlab")).api).toMatchObject({
      baseUrl: "https://git.example.com/api/v4",
      headerName: "PRIVATE-TOKEN",
    });
  });

  it.each([
    ["stripe", "--methods", "GET"],
    ["notion", "--methods", "GET"],
    ["notion", "--deny", "/search"],
  ])("takes a flag that narrows the recipe: %s %s %s", async (name, flag, value) => {
    const { code, stderr } = await add(name, "--slug", `narrow-${name}${flag}`, flag, value);
    expect([code, stderr]).toEqual([0, expect.not.stringContaining("wrong")]);
  });

  it.each(["../package", "github.json"])("takes as a host what is not one: %s", async (name) => {
    expect((await add(name)).stderr).not.toContain("Note:");
  });

  it.each([
    ["githb", "is neither a URL nor the name of a recipe. Nearest: github."],
    ["nothing-known", "is neither a URL nor the name of a recipe.\n"],
  ])("answers %s with what is near: %s", async (name, message) => {
    const { code, stderr } = await add(name);
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
  });
});

describe("recipes", () => {
  it("are listed with a line each", async () => {
    const { stdout } = await command.run(["recipes"]);
    const lines = stdout.trimEnd().split("\n");
    expect(lines).toHaveLength(38);
    expect(lines).toContainEqual(
      expect.stringMatching(/^clickup {2,}The token alone, without a scheme\.$/),
    );
    const listed = JSON.parse((await command.run(["recipes", "--json"])).stdout);
    expect(listed[0]).toMatchObject({
      name: "airtable",
      api: "Airtable",
      baseUrl: "https://api.airtable.com/v0",
    });
  });
});
