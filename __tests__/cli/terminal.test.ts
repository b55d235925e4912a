import { afterEach, expect, it, jest } from "@jest/globals";
import { terminal } from "../../src/cli/terminal.js";

afterEach(() => {
  jest.restoreAllMocks();
});

it("what goes to stderr, such as the name of a file, cannot steer a terminal", () => {
  const written: unknown[] = [];
  jest.spyOn(process.stderr, "write").mockImplementation((text) => written.push(text) > 0);
  const name = "a\u001b]52;c;aGk=\u0007\u009b\u202e.json";
  terminal.note(`${name}\n\tis not JSON`);
  terminal.showProgress(name);
  const shown = "a\\u001b]52;c;aGk=\\u0007\\u009b\\u202e.json";
  expect(written).toEqual([`${shown}\n\tis not JSON\n`, `${shown}\n`]);
});
