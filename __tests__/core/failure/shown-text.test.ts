import { describe, expect, it } from "@jest/globals";
import { dropStack } from "../../../src/core/failure/shown-text.js";

describe("dropStack", () => {
  it.each<[string, string, string]>([
    [
      "Node",
      "TypeError: x is no function\n    at fn (/srv/x.js:1:2)\n    at async Promise.all (index 0)",
      "TypeError: x is no function",
    ],
    [
      "Python",
      'Traceback (most recent call last):\n  File "/srv/x.py", line 3, in f\n    return 1 / n\nZeroDivisionError: division by zero',
      "ZeroDivisionError: division by zero",
    ],
    [
      "PHP",
      "Uncaught Exception: no x\nStack trace:\n#0 /var/www/y.php(3): f()\n#1 {main}",
      "Uncaught Exception: no x",
    ],
  ])("keeps the error and drops the stack of %s", (_name, text, kept) => {
    expect(dropStack(text)).toBe(kept);
  });

  it.each(["Look at /users/42 first", "Parse error at line 3, column 7", ""])(
    "leaves %j as it is",
    (text) => {
      expect(dropStack(text)).toBe(text);
    },
  );

  it.each([" ", " at a. (/a", "\n", ":1 "])("reads a long run of %j to its end", (part) => {
    expect(dropStack(`${part.repeat(20_000)} at 1`)).toEqual(expect.any(String));
  });
});
