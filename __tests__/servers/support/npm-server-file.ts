/** Where a server from npm stands after scripts/install-test-servers.sh. */

import { join } from "node:path";
import { serversDirectory } from "./start-server.js";

export function npmServerFile(path: string): string {
  return join(serversDirectory, "node_modules", path);
}
