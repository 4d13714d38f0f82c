import type { Server } from "../client/connect-server.ts";
import type { Store } from "../state/store.ts";
import { sanitise } from "../text/index.ts";
import { unshownLines } from "./unshown-lines.ts";

/** A longer answer would push the conversation away; it becomes a sheet. */
const NOTE_LINES = 6;
const NOTE_CHARACTERS = 500;

export type ServerCommandsParts = {
  store: Store;
  server: Server;
  /** The session in view, made when there is none yet. */
  session(): Promise<string>;
};

/** Has the server run a command, and shows its answer: a few lines as a note, more as a sheet. */
export function serverCommands({ store, server, session }: ServerCommandsParts) {
  return async (name: string, args: string): Promise<void> => {
    const { serverCommands, session: inView, cwd } = store.get();
    const needsSession = serverCommands.find((each) => each.name === name)?.needsSession ?? true;
    const place = needsSession || inView !== undefined ? { sessionId: await session() } : { cwd };
    const answer = await server.call("command/run", { ...place, name, args });
    const text = unshownLines(answer.text, store.get());
    if (text === "") return;
    if (text.length <= NOTE_CHARACTERS && text.split("\n").length <= NOTE_LINES) {
      store.dispatch({ type: "noted", note: { severity: "info", text } });
      return;
    }
    const title = sanitise(`/${name}${args.trim() === "" ? "" : ` ${args.trim()}`}`).replace(/\s+/g, " ");
    store.dispatch({ type: "overlayShown", overlay: { kind: "text", title, text, scroll: 0 } });
  };
}
