// "@harness/protocol/wire": the connection. Separate from the main entry because it loads vscode-jsonrpc.
export { type ByteStream, byteStream } from "./byte-stream.ts";
export type { Channel } from "./channel.ts";
export { type Connection, type ConnectionEnd, connect } from "./connection.ts";
export { defaultLimits, lineChannel } from "./line-channel.ts";
export { linkedPair } from "./linked-pair.ts";
export { MAX_IN_FLIGHT } from "./method-server.ts";
export { RequestQueue } from "./request-queue.ts";
