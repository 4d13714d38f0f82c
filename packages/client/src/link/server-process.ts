import { openClient } from "../client.ts";
import { errorText, isLost } from "../errors.ts";
import { spawnServer } from "../spawn.ts";
import type { ConnectServer } from "./connect-server.ts";
import { exitMessage } from "./exit-message.ts";
import type { WindowRequest } from "./window-request.ts";

/** How long a server may take to store everything when its client closes. */
const END_MS = 2_000;
/** The end of the server's stderr is enough to see why it ended. */
const MAX_STDERR = 8_192;

/**
 * Starts a server process in `cwd` for each connection, which is its only client; `name`: the server's name for this
 * client.
 */
export function serverConnector(
  name: string,
  { server, cwd, version }: Pick<WindowRequest, "server" | "cwd" | "version">,
  env: Record<string, string | undefined>,
): ConnectServer {
  return async ({ onLost, ...listeners }) => {
    let stderr = "";
    const process = spawnServer({
      ...server,
      cwd,
      env: { ...env, ...server.env },
      onStderr: (text) => {
        stderr = (stderr + text).slice(-MAX_STDERR);
      },
    });
    const reason = async (): Promise<string> => exitMessage(await process.end(500), stderr);
    try {
      const client = await openClient(process.channel, {
        ...listeners,
        clientInfo: { name, version },
        onLost: () => void reason().then(onLost),
        // A bug on this side ends the program like any other bug.
        onBug: (error) =>
          queueMicrotask(() => {
            throw error;
          }),
      });
      const close = async (): Promise<void> => {
        const ended = process.end(END_MS);
        const left = await Promise.race([client.leave(), ended.then(() => undefined)]);
        client.destroy();
        if (left?.stays) process.release();
        else await ended;
      };
      return { call: client.call, close, server: client.server };
    } catch (error) {
      const why = await reason();
      // The reason why the process ended makes the end of the connection redundant.
      throw new Error(isLost(error) ? why : `${why} (${errorText(error)})`);
    }
  };
}
