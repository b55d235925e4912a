import { expect, it } from "@jest/globals";
import { Places } from "../../../src/extras/code/places.js";

it("a place that no one waits for any more holds up none of those behind it", async () => {
  const places = new Places(10);
  const leaving = new AbortController();
  const entered: string[] = [];
  const enter = (name: string, size: number, signal?: AbortSignal) =>
    places.enter(size, signal).then(() => entered.push(name));
  void enter("first", 5);
  void enter("too large for now", 20, leaving.signal);
  void enter("small", 5);
  await Promise.resolve();
  expect(entered).toEqual(["first"]);
  leaving.abort();
  await Promise.resolve();
  expect(entered).toEqual(["first", "small"]);
});
