import { chmodSync } from "node:fs";
import { createServer, type Socket } from "node:net";
import { removeIfThere } from "@harness/host";
import { type ByteStream, byteStream, type Channel, lineChannel } from "@harness/protocol/wire";

/** A socket on which clients connect. */
export type SocketListener = {
  readonly path: string;
  /** From now on the socket alone keeps the process alive. */
  hold(): void;
  close(): void;
};

type SocketOptions = {
  path: string;
  /** A client has connected. */
  admit(channel: Channel): void;
  report(error: unknown, where: string): void;
};

const MAX_CONNECTIONS = 256;
/** A client that takes nothing for so long is disconnected; it can come back and go on after the last fact it has. */
const STUCK_MS = 30_000;

/** Listens on a socket that only this user can open. Rejects if the system refuses it. */
export async function listenOnSocket({ path, admit, report }: SocketOptions): Promise<SocketListener> {
  // A client that sends no more may still read: it gets its answers.
  const server = createServer({ allowHalfOpen: true }, (socket) => admit(lineChannel(streamOf(socket))));
  server.maxConnections = MAX_CONNECTIONS;
  await new Promise<void>((listening, refused) => {
    server.once("error", refused).listen(path, listening);
  });
  server.on("error", (error) => report(error, "the socket of the server"));
  server.unref();
  // Its folder is closed to others already.
  chmodSync(path, 0o600);
  return {
    path,
    hold: () => void server.ref(),
    close() {
      server.close();
      removeIfThere(path);
    },
  };
}

function streamOf(socket: Socket): ByteStream {
  const stream = byteStream({ readable: socket, writable: socket });
  return {
    ...stream,
    write(text) {
      const slow = stream.write(text);
      if (slow === undefined) return undefined;
      const timer = setTimeout(() => socket.destroy(), STUCK_MS).unref();
      return slow.finally(() => clearTimeout(timer));
    },
  };
}
