// The toolkit of one source over standard input and output: node mcp-server.mjs URL
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { ApiSourceToolkit } from "langchain-api-sources";
import { createMcpServer } from "langchain-api-sources/mcp";

const record = { name: "Shop", api: { baseUrl: process.argv[2] } };
const toolkit = await ApiSourceToolkit.fromSources([record]);
serveStdio(() => createMcpServer(toolkit));
