/** What the package can be imported as, below its name, and the file that is the entry: for the build, and for tests that run on `src`. */
export const entryPoints = {
  ".": { name: "index", source: "src/index.ts" },
  "./keyring": { name: "keyring", source: "src/keyring/keyring-credentials.ts" },
  "./code": { name: "code", source: "src/code/create-api-code-tool.ts" },
  "./testing": { name: "testing", source: "src/recording/testing.ts" },
  "./mcp": { name: "mcp", source: "src/mcp/create-mcp-server.ts" },
  "./inspector": { name: "inspector", source: "src/inspector/create-inspector.ts" },
};
