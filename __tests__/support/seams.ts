/** Time, chance and the environment of a test: they are no options, and the doors take them as an argument of their own. */
import type { ClientOptions } from "langchain-api-sources";
import type { Seams } from "../../src/core/base/runtime.js";

/** What a test gives its helper: options of an application, and time, chance and environment beside them. */
export type TestOptions = ClientOptions & Seams;

/** The two arguments that a door takes after the record. */
export function splitOptions(given: TestOptions): [options: ClientOptions, seams: Seams] {
  const { clock, stopwatch, sleep, random, readEnvironment, ...options } = given;
  return [options, { clock, stopwatch, sleep, random, readEnvironment }];
}

/** A wait that takes no time. */
export const noSleep = async (): Promise<void> => {};
