// Configuration records: any member may be anything; one that loads is called once.

import { textOf } from "../world.mjs";

export async function openDoor({ fc, load, api, canary, hear }) {
  const { createSourceClient } = await load("index.js");
  const any = fc.oneof(textOf(fc), fc.jsonValue({ maxDepth: 3 }));
  const odd = fc.dictionary(
    fc.constantFrom(
      ..."methods paths headers query variables limits network allowedHeaders endpoints errorWhen bodyFormat credentialEnv authScheme headerName queryParam testEndpoint slug name tagline paging reads jobs metods baseUrll".split(
        " ",
      ),
    ),
    any,
    { maxKeys: 4 },
  );
  const flood = fc
    .integer({ min: 0, max: 20_000 })
    .map((count) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`metho${at}`, at])));
  return {
    arbitrary: fc.record({
      top: odd,
      api: odd,
      flood: fc.oneof({ weight: 9, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: flood }),
      authType: fc.constantFrom("bearer", "query", "basic", "none", 7),
    }),
    async run({ top, api: own, flood: more, authType }) {
      const settings = { baseUrl: api.baseUrl, authType, queryParam: "key", ...own, ...more };
      const network = { network: undefined };
      const client = createSourceClient(
        { name: "Shop", ...top, api: { ...settings, ...network } },
        {
          credentials: () => (authType === "basic" ? { username: "a", password: canary } : { token: canary }),
        },
      );
      const { content, artifact } = await client
        .call({ method: "GET", path: "/a" }, { signal: AbortSignal.timeout(5_000) })
        .catch((error) => ({ content: String(error?.name), artifact: {} }));
      hear("content", content);
      hear("artifact", artifact);
    },
  };
}
