/** Paths of real APIs' shapes that must pass, and arrive byte for byte. */

import { words } from "./words.js";

/** Sent exactly as they are written. */
export const legitimatePaths: readonly string[] = [
  ...words(`
    / /users /users/ users/1 /users/1/ a/b/c a//b /a///b/ /v1/users /V2 a...b/x a..b ..a a.. /a/..b ...x
    projects/group%2Fproject/issues projects/group%2fsub%2fproject/repository/files/src%2Fmain.ts/raw a%2F a%2F%2Fb
    Users('a')/$metadata Products(1)/Category/$ref Orders(Id=1,Line=2) Users('O''Neil') $batch $metadata $count
    People/Microsoft.NAV.Top(count=3) /sites/root:/docs/file.txt:/content /drives/a!b/items/C!1 me/messages/AAMk=
    messages:send users:batchGet /v1/documents:runQuery projects/p/databases/(default)/documents :80@evil @evil .evil
    contents/.github/workflows .well-known/openid-configuration .env.example a.b.c file.tar.gz .gitignore a/.b/.c
    user@example.com /users/user%40example.com +1555 a+b tags/c%2B%2B languages/C%23 /q/what%3F a,b,c
    ~user a~b a=b a;b=c;d=e /matrix;color=red/x a!b a*b a'b (x) [0] items[1]
    100%25 a%25b %25 a%20b a%2520b a%2525 %41dmin caf%C3%A9 %e6%97%a5 a%22b a%3Cb%3E a%60b a%7Cb a%5Bb%5D a%5Eb
    /sites/https%3A%2F%2Fexample.com%2F/searchAnalytics/query /web/https://example.com/page urn:isbn:123 a:b:c
    /repositories/%7B01234567-89ab-cdef-0123-456789abcdef%7D/x /filter/%7B%22a%22%3A1%7D %7B a%7Db
    2024-01-01T00:00:00Z/2024-01-02 0.0.0.0/0 1.2.3.4%2F24 a-b_c -1 _search _cat/indices idx/_doc/1 * a/**
    %E2%80%8D %F0%9F%91%A9%E2%80%8D%F0%9F%92%BB %C2%BD 1%E2%81%842 a%2Eb %2Ehidden a%2e%2eb a%252Fb package%2F1.0
    @scope%2Fname @scope/name -/v1/search repos/o/r/compare/main...dev repos/o/r/compare/v1..v2 %2Dx data/x file/1 http/x
  `),
  // Elasticsearch's date math, as its documentation writes it
  ...words(`
    %3Cmy-index-%7Bnow%2Fd%7D%3E/_search %3Clogstash-%7Bnow%2Fd-2d%7D%3E,%3Clogstash-%7Bnow%2Fd-1d%7D%3E,%3Clogstash-%7Bnow%2Fd%7D%3E/_search
    %3Clogstash-%7Bnow%2FM%7Byyyy.MM%7D%7D%3E %3Clogstash-%7Bnow%2Fd%7Byyyy.MM.dd%7C%2B12%3A00%7D%7D%3E
    channels/C1/messages/1.000200 a&b a$b $value '' ()
  `),
];

/** Sent with the one encoding that URLs have for them. */
export const encodedOncePaths: readonly (readonly [given: string, sent: string])[] = [
  ["users/日本", "users/%E6%97%A5%E6%9C%AC"],
  ["café", "caf%C3%A9"],
  ["cafe\u0301", "cafe%CC%81"],
  ["😀/x", "%F0%9F%98%80/x"],
  ["👩‍💻", "%F0%9F%91%A9%E2%80%8D%F0%9F%92%BB"],
  ["Ünï/%C3%BC", "%C3%9Cn%C3%AF/%C3%BC"],
  ["a b", "a%20b"],
  ["a b%20c", "a%20b%20c"],
  ['a"b', "a%22b"],
  ["a<b>", "a%3Cb%3E"],
  ["a`b", "a%60b"],
  ["a^b", "a%5Eb"],
  ["a|b", "a%7Cb"],
  ["x{", "x%7B"],
  ["x}y", "x%7Dy"],
  [
    "items/{01234567-89ab-cdef-0123-456789abcdef}",
    "items/%7B01234567-89ab-cdef-0123-456789abcdef%7D",
  ],
  ["½", "%C2%BD"],
  ["ab…", "ab%E2%80%A6"],
];

/** Query strings that pass within the path byte for byte. */
export const legitimateQueryStrings: readonly string[] = words(`
  a=1 a=1&b=2 a=1&a=2 a a= cursor=abc%2Bd%3D cursor=abc== q=a+b q=a%20b filter[a]=1 fields[]=x&fields[]=y
  $filter=a%20eq%201&$top=5 q=repo:o/r+is:open t=12:00:00Z sort=-a,b url=https://example.com/?x=1 x=%7Bid%7D
  x=../.. x=..%2f.. x=%252e a=%0A a=%00 q=%25 a=b;c=d a=1&&b=2 page=2&per_page=100 q=%E6%97%A5 keys=1 monkey=1
  a=b=c a=? a=/ a=@ a=! a=* a=() a=~ next=eyJhIjoxfQ
`);
