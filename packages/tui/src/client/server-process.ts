import { type ClientOptions, openClient, spawnServer } from "@harness/client";
import type { WindowRequest } from "../state/window-request.ts";
import { exitWords } from "./exit-message.ts";
import type { ConnectServer, ServerEvents } from "./harness-client.ts";
import { isLost, wordsOf } from "./harness-client.ts";

/** How long a server may take to write everything down when the window closes. */
const END_MS = 2_000;
/** What a server said last is enough to see why it ended. */
const MAX_STDERR = 8_192;

/** Starts `request.server` for each connection; the window is its only client. */
export function serverConnector(
  { server, cwd, version }: Pick<WindowRequest, "server" | "cwd" | "version">,
  env: Record<string, string | undefined>,
): ConnectServer {
  return async (events) => {
    let said = "";
    const process = spawnServer({
      ...server,
      cwd,
      env: { ...env, ...server.env },
      onStderr: (text) => {
        said = (said + text).slice(-MAX_STDERR);
      },
    });
    const words = async (): Promise<string> => exitWords(await process.end(500), said);
    try {
      const client = await openClient(process.channel, {
        clientInfo: { name: "window", version },
        ...answers(events, words),
      });
      const close = async () => {
        const ended = process.end(END_MS);
        await Promise.race([client.close(), ended]);
        client.destroy();
        await ended;
      };
      return { call: client.call, close };
    } catch (error) {
      const why = await words();
      // That the connection ended says nothing that the reason does not.
      throw new Error(isLost(error) ? why : `${why} (${wordsOf(error)})`);
    }
  };
}

function answers(events: ServerEvents, words: () => Promise<string>): Omit<ClientOptions, "clientInfo"> {
  return {
    onUpdate: events.onUpdate,
    onPermission: ({ sessionId, permission }, signal) => events.onPermission(sessionId, permission, signal),
    onQuestion: (question, signal) => events.onQuestion(question, signal),
    notices: {
      "hud/update": ({ sessionId, hud }) => events.onHud(sessionId, hud),
      "models/probe": events.onProbe,
      "auth/login_update": events.onLogin,
      "settings/changed": events.onSettingsChanged,
      "sessions/changed": events.onSessionsChanged,
    },
    onLost: () => void words().then(events.onLost),
    // A bug on this side must be seen, or it is never mended: the way of every other bug of the window.
    onBug: (error) => {
      queueMicrotask(() => {
        throw error;
      });
    },
  };
}
