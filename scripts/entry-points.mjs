/** What the package can be imported as, below its name, and the file that is the entry: for the build, and for tests that run on `src`. */
export const entryPoints = {
  ".": { name: "index", source: "src/index.ts" },
  "./keyring": { name: "keyring", source: "src/extras/keyring/keyring-credentials.ts" },
  "./code": { name: "code", source: "src/extras/code/create-api-code-tool.ts" },
  "./testing": { name: "testing", source: "src/extras/testing/testing.ts" },
  "./mcp": { name: "mcp", source: "src/extras/mcp/create-mcp-server.ts" },
  "./middleware": {
    name: "middleware",
    source: "src/extras/middleware/api-sources-middleware.ts",
  },
  "./inspector": { name: "inspector", source: "src/extras/inspector/create-inspector.ts" },
};
