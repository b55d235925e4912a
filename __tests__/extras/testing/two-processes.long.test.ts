import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "@jest/globals";
import { compilePrograms, runProgram } from "../../support/compiled-programs.js";
import { sendJson, startHttpServer } from "../../support/http-server.js";
import { useDirectory } from "../../support/temporary-directory.js";

const program = `
import { createSourceClient } from "langchain-api-sources";
import { recordTo } from "langchain-api-sources/testing";
const { baseUrl, directory, who } = JSON.parse(process.env.GIVEN ?? "{}");
const shop = createSourceClient({ name: "Shop", api: { baseUrl } }, { transport: recordTo(directory) });
for (let index = 0; index < 25; index += 1) await shop.call({ method: "GET", path: "/" + who + "/" + index });
`;

const directory = useDirectory();
const server = await startHttpServer((request, response) => sendJson(response, { is: request.url }));

describe("recordTo", () => {
  it("loses nothing of two processes that record into one directory", async () => {
    const { pathOf } = await compilePrograms({
      folder: "two-recorders",
      programs: { "record.ts": program },
    });
    const run = (who: string) =>
      runProgram(pathOf("record.ts"), {
        env: { GIVEN: JSON.stringify({ baseUrl: server.url, directory: directory(), who }) },
      });
    await Promise.all([run("a"), run("b")]);
    expect(readdirSync(directory())).toEqual(["shop.json"]);
    const { entries } = JSON.parse(readFileSync(directory("shop.json"), "utf8"));
    const urls = entries.map(({ request }: { request: { url: string } }) => request.url);
    expect(new Set(urls).size).toBe(50);
    for (const who of ["a", "b"])
      expect(urls.filter((url: string) => url.startsWith(`/${who}/`))).toEqual(
        Array.from({ length: 25 }, (_, index) => `/${who}/${index}`),
      );
  });
});
