// "@harness/protocol/wire": the connection. Apart from the main entry because it loads vscode-jsonrpc.
export {
  type ByteStream,
  type ByteStreamEvents,
  byteStream,
  type ReadableLike,
  type WritableLike,
} from "./byte-stream.ts";
export type { Backlog, Channel, ChannelEvents } from "./channel.ts";
export {
  type Connection,
  type ConnectionEnd,
  type ConnectOptions,
  connect,
  defaultMaxInFlight,
  type OnBug,
} from "./connection.ts";
export { defaultLimits, encodeLine, type FramingLimits, lineChannel } from "./framing.ts";
export { Lanes } from "./lanes.ts";
export { linkedPair } from "./linked-pair.ts";
