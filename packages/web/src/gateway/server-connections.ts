import { connect, type Socket } from "node:net";
import { basename, dirname, join } from "node:path";

/** The name of a socket: a prefix that stands for the configuration folder, and the process. */
const NAME = /^([0-9a-f]{10})-\d{1,10}\.sock$/;

/** Connects to the servers of this person. `start`: starts one that listens, or finds it; returns its socket. */
export class ServerConnections {
  readonly #start: () => Promise<string>;
  #path: Promise<string> | undefined;

  constructor(start: () => Promise<string>) {
    this.#start = start;
  }

  /** To the server of this page. It may have ended for want of work: then it is started again. Rejects with a reason for people. */
  async own(): Promise<Socket> {
    const known = await this.#path?.catch(() => undefined);
    const socket = known === undefined ? undefined : await connected(known).catch(() => undefined);
    if (socket) return socket;
    this.#path = this.#start();
    return await connected(await this.#path);
  }

  /** To the server that holds a session, by the name of its socket beside the page's own. Rejects if there is none. */
  async other(name: string): Promise<Socket> {
    const own = await this.#path;
    const [, prefix] = NAME.exec(name) ?? [];
    if (own === undefined || prefix === undefined || NAME.exec(basename(own))?.[1] !== prefix)
      throw new Error("There is no such server.");
    return await connected(join(dirname(own), name));
  }
}

function connected(path: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(path);
    socket.once("connect", () => resolve(socket));
    // Later errors end the socket, which its users see.
    socket.on("error", reject);
  });
}
