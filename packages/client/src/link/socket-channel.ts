import { connect } from "node:net";
import { byteStream, type Channel, lineChannel } from "@harness/protocol/wire";

/** The largest fact of a stored session, in UTF-16 units: the server is a program of the same user. */
const MAX_JOINED_LENGTH = 256 * 1024 * 1024;

/** A channel to the server that listens at `path`. Rejects with a reason for people. */
export function socketChannel(path: string): Promise<Channel> {
  return new Promise((resolve, reject) => {
    const socket = connect(path);
    socket.once("connect", () => {
      socket.off("error", fail);
      resolve(lineChannel(byteStream({ readable: socket, writable: socket }), { maxJoinedLength: MAX_JOINED_LENGTH }));
    });
    const fail = (error: NodeJS.ErrnoException): void => {
      const isGone = error.code === "ENOENT" || error.code === "ECONNREFUSED";
      reject(new Error(isGone ? `No server listens at ${path} any more.` : `${path}: ${error.message}`));
    };
    socket.once("error", fail);
  });
}
