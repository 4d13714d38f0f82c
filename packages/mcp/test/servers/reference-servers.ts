import { createRequire } from "node:module";
import { dirname, join } from "node:path";

const require = createRequire(import.meta.url);

/** The program of each reference server on npm. */
export const referenceServers = {
  everything: programOf(require.resolve("@modelcontextprotocol/server-everything/package.json")),
  filesystem: programOf(require.resolve("@modelcontextprotocol/server-filesystem/package.json")),
  memory: programOf(require.resolve("@modelcontextprotocol/server-memory/package.json")),
  thinking: programOf(require.resolve("@modelcontextprotocol/server-sequential-thinking/package.json")),
};

function programOf(manifest: string): string {
  return join(dirname(manifest), "dist/index.js");
}
