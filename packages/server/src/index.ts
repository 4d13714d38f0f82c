export { replaceableCommands, serverCommands } from "./commands/index.ts";
export { composeServer, type ServerOptions } from "./compose.ts";
export { HarnessServer } from "./harness-server.ts";
