export { linkedPair } from "@harness/protocol/wire";
export { type Client, type ClientOptions, openClient } from "./client.ts";
export { type ServerCommand, type ServerExit, type ServerProcess, spawnServer } from "./spawn-server.ts";
