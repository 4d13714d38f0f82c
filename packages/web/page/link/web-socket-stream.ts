import type { ByteStream } from "@harness/protocol/wire";

/** More than this waiting to be sent counts as a slow connection. */
const MAX_WAITING_BYTES = 1024 * 1024;
const LOOK_MS = 50;

/** Lines over a WebSocket of this page. `at`: the socket of another server. Rejects if it is refused. */
export function webSocketStream(key: string, at?: string): Promise<ByteStream> {
  const url = new URL("/socket", location.href.replace(/^http/, "ws"));
  url.hash = "";
  if (at !== undefined) url.searchParams.set("at", at);
  const socket = new WebSocket(url, ["harness", `key.${key}`]);
  return new Promise((resolve, reject) => {
    socket.addEventListener("open", () => resolve(streamOf(socket)), { once: true });
    socket.addEventListener("error", () => reject(new Error("harness web does not answer")), { once: true });
  });
}

function streamOf(socket: WebSocket): ByteStream {
  const encoder = new TextEncoder();
  return {
    start(events) {
      socket.addEventListener("message", ({ data }) => events.data(encoder.encode(String(data))));
      socket.addEventListener("close", () => {
        events.end();
        events.error(new Error("The connection is lost."));
      });
    },
    write(text) {
      if (socket.readyState !== WebSocket.OPEN) return undefined;
      socket.send(text);
      return socket.bufferedAmount < MAX_WAITING_BYTES ? undefined : sent(socket);
    },
    async end() {
      await sent(socket);
      socket.close();
    },
    destroy: () => socket.close(),
  };
}

function sent(socket: WebSocket): Promise<void> {
  return new Promise((resolve) => {
    const look = () => {
      if (socket.bufferedAmount === 0 || socket.readyState !== WebSocket.OPEN) resolve();
      else setTimeout(look, LOOK_MS);
    };
    look();
  });
}
