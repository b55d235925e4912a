/** Paths that must be refused: the ones people have used, and all that their building blocks combine to. */

import { words } from "./words.js";

/** From the write-ups of path traversal and request forgery in HTTP clients and API tools. */
export const knownHostilePaths: readonly string[] = [
  // Other places
  ...words(`
    http://evil/x HTTP://evil/x hTTp://evil/x http://evil#@api/x http://evil\\@api/x http://api@evil/x
    http:/evil http:evil http:\\\\evil http:/\\evil https:evil.example //evil ///evil ////evil/x
    \\\\evil /\\evil \\/evil \\evil /\\/evil //evil%2fx %2f%2fevil /%2fevil %2F/evil /%252fevil
    file:///etc/passwd ftp://evil ws://evil wss://evil blob:http://evil/x data:text/plain,x javascript:alert(1)
    unix:/var/run/x.sock gopher://evil/_x ldap://evil mailto:a@evil view-source:http://evil jar:http://evil!/
    http%3a%2f%2fevil http:%2f%2fevil http%3A//evil http:%5c%5cevil ｈttp://evil http：//evil http:／／evil
    ／／evil /／evil ＼＼evil /＼evil https://127.0.0.1.evil/v1/x https://127.0.0.1@evil/v1/x
    \thttp://evil ht\ttp://evil \0http://evil \u00a0http://evil \ufeff//evil /\t/evil /\r/evil \u2028//evil
    http://user:pw@127.0.0.1/v1/x http://127.0.0.1%2eevil/v1 http://127.0.0.1%00.evil/ http://[::1]/v1/x
    http://0x7f000001.evil/v1 http://localhost.evil/ http:///x http://127.0.0.1:1/v1/x git+ssh://evil/x
  `),
  ...[" http://evil", "http://evil ", "\n//evil"],
  // Up and out
  ...words(`
    ../admin /../admin a/../../admin ..\\admin %2e%2e/admin .%2e/admin %2e./admin ..//admin /./..//../admin
    ..%2fadmin ..%2Fadmin %2e%2e%2fadmin ..%5cadmin ..%5Cadmin %252e%252e/admin ..%252fadmin ..;/admin ..;x=1/admin
    %2e%2e;/admin ..%3b/admin ..%3Bx/admin .;/admin ..%00/admin %c0%ae%c0%ae/admin ..%c0%afadmin ..%c1%9cadmin
    %e0%80%ae%e0%80%ae/x %f0%80%80%ae/x %f8%80%80%80%ae/x %fc%80%80%80%80%ae/x %u002e%u002e/x ..%u2215x ..%u002fx
    %25c0%25ae/x %2525c0%2525ae/x %25u002e%25u002e/x %c0%2e%c0%2e/x %e0%2e/x ．．/admin ‥/admin 。。/admin ․․/x ｡｡/x
    ﹒﹒/x ．./x .．/x %ef%bc%8e%ef%bc%8e/x %e2%80%a5/x %25ef%25bc%258e%25ef%25bc%258e/x ..／admin ..＼admin ..⁄x ..∕x
    ..％2fadmin ％2e％2e/admin ..﹪2fx ..；/x ..%ef%bc%9b/x ..\u037e/x . .. ./ ../ /. /.. a/.. a/. a/./b a/../b
    a/%2e a/%2E%2e/b a/.%252e/b ..%3f/x ..%3Fa/x ..%23/x .%3f ..%20/x %20../x ..%09/x ..%0a/x ..%0d/x ..%a0/x
    ..%c2%a0/x ..%e2%80%8b/x .%e2%80%8b./x .%c2%ad./x ..%ef%bb%bf/x ..+/x x%2f..%2f..%2fadmin x%2f%2e%2e%2fy
    group%2F..%2F..%2Fadmin group%252f..%252f..%252fx a%2f. a%2f./b a%5c..%5cb a\\..\\b a%5cb a\\b %5cevil ..%255cx
    %25252525252525252525252525252e/x ..%2500/x %2e%2e%c0%afx ..%f0%80%80%afx ..%¥x
    /.../admin x/... ..../admin %2e%2e%2e/x %252e%252e%252e/x a/...;x/b a%2f...%2fb …/x .../.../x
    .\t./x .\r./x ..\0/x .\u00ad./x .\u200b./x ..\u200d/x ..\u2060/x ..\ufeff/x ..\u00a0/x ..\u3000/x ..\u061c/x
  `),
  ...[".\n./x", ".. /x"],
  // Broken UTF-8 one layer down, with a traversal beside it
  ...words(`
    %25ff%252f%252e%252e%252fadmin %25e9%252f%252e%252e%252fadmin %25e0%2580%25ae%25e0%2580%25ae/x
    %25f0%2580%2580%25ae%25f0%2580%2580%25ae/x %25f8%2580%2580%2580%25ae/x %25e0%252e/x
  `),
  // Escapes that normalising, or dropping accents and invisible characters, hides between two decodings or makes
  ...words(`
    ..%252f%CC%87tenant-b/secret ..%25%CC%872f/x ..%252f%CC%B8x ..%25%E2%80%8B2fx %252%CC%87e%252e/x ..%25%EF%BC%92fx
    %CC%87../x .%CC%87./x ..%CC%81%2fx a%2f..%252f%CC%88b %25%C2%AD2e%252e/x .%E2%80%A4%CC%87/x ..%CD%8F/x
  `),
  // Bytes that are no UTF-8 one layer down, which some decoders leave out
  ...words("..%25ff/x .%25e9./x ..%25e2%2582/x ..%25e%E2%84%80/ .%25%25ff2e/x ..%252f%25ffx"),
  // What Windows makes of dots and spaces
  ...words("..%20./x .%20./x ..%20.%20/x .%20/x %20.%20.%20/x a/.%2b./b ..+./x"),
  // Other requests
  ...["a\r\nX: 1", "a HTTP/1.1\r\nHost: evil", "a\nb"],
  ...words(`
    a\rb a\0b a\x1bb a\x7fb a\u0085b a%0d%0aX:1 a%0ab a%00b
    a%7fb a%1bb a%C2%85b a%250d%250ab a%2500b a#frag a#/../x?y # /# a?x#y
  `),
  // Not a URL at all
  ...words(`
    % %zz %1 %g0 a%b %ff %e9 %80 a%c3 a%e2%82 %ed%a0%80 100% a?q=%zz a?q=% a?q=%ff
    \ud800 a\udc00b a?q=\ud800 /\udfff/..
  `),
  ...["a".repeat(4001), `a?q=${"x".repeat(8000)}`, " a", "a ", "/a?q=1 ", "/users/{user id}"],
  ...words(`
    {id} /users/{id} /users/%7Bid%7D /users/%7bid%7d {+path} {{id}} /a/{owner}/{repo} /{0} /{} /%257Bid%257D
    /users/{user-id} /users/｛id｝ /x/{ID}.json
    /{now} /x/{now/d} /%7Bnow%2Fd%7D %3Clogs-{date}%3E %3Ca%3E%7Bnow%7D
  `),
  ["/users/$", "{id}"].join(""),
];

const dots = words(
  ".. %2e%2e %2E. .%252e %25252e. ．． ‥ 。。 %ef%bc%8e. .\u200b. ․. %c0%ae%c0%ae",
);
const slashes = words("/ %2f %252F \\ %5c ／ %ef%bc%8f ∕ ⁄ // /;/ %2F/ %252f%CC%87");
const tails = ["", ...words("; ;x=1 %3b %3f %23 %20 %09 \u00ad ； %CC%87 %20.")];
const starts = ["", "/", "a/", "a%2f", "projects/group%2F", "%2e/"];

/** Every start, dot pair, tail and separator combined: 11,232 traversals. */
export function* combineHostilePaths(): Generator<string> {
  for (const start of starts) {
    for (const dot of dots) {
      for (const tail of tails) {
        for (const slash of slashes) yield `${start}${dot}${tail}${slash}admin`;
      }
    }
  }
}
