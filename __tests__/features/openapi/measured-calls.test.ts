/** `npm run bench` asks internal functions about calls of made documents: here it asks those of these sources. */

import { resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { expect, it } from "@jest/globals";
import { openTestFolder } from "../../support/test-folder.js";

const folder = openTestFolder();
const load = (file: string) => import(pathToFileURL(resolve("bench", file)).href);

it("the benchmark of documents refuses no right call, and finds each mistake", async () => {
  const { makeDescription } = await load("openapi-documents.mjs");
  const { measureCalls, openRooms } = await load("openapi.mjs");
  const file = await folder.write("made.json", makeDescription({ paths: 10 }));
  const rooms = await openRooms(fileURLToPath(new URL("../../../src", import.meta.url)));
  const { right, refused, kinds } = await measureCalls(rooms, [file]);
  expect(right).toBeGreaterThan(20);
  expect(refused).toEqual([]);
  expect(kinds.size).toBeGreaterThan(8);
  for (const [kind, { made, found }] of kinds) expect([kind, found]).toEqual([kind, made]);
});
