import { expect, it } from "@jest/globals";
import { checkPersonUrl } from "../../../src/features/oauth/consent.js";

it.each(["https://login.example.com/authorize?a=1", "http://127.0.0.1:8080/authorize", "http://[::1]/a"])(
  "a person may be sent to %s",
  (url) => {
    expect(checkPersonUrl(url)).toBe(url);
  },
);

it.each([
  "javascript:alert(1)//https://",
  "data:text/html,x",
  "http://login.example.com/",
  "",
  "http://127.0.0.1.example.com/",
])("a person is not sent to %j", (url) => {
  expect(() => checkPersonUrl(url)).toThrow(expect.objectContaining({ code: "unsafe_authorization_url" }));
});
