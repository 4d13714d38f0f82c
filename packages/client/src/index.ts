export { type ClientOptions, type HarnessClient, type NoticeListeners, openClient } from "./client.ts";
export { costText, moneyText, priceText } from "./cost-text.ts";
export { type LocalServer, openLinkedClient } from "./linked.ts";
export type { SessionRequest, WindowRequest } from "./session-request.ts";
export { type SetupOption, setupNotes, setupOptions, startableServers } from "./setup-options.ts";
export { type ServerCommand, type ServerExit, type ServerProcess, spawnServer } from "./spawn.ts";
