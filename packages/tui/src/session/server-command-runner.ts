import type { Session } from "@harness/client";
import type { WindowHost } from "../client/window-host.ts";
import type { TextSheet } from "../state/text-sheet.ts";
import { sanitise } from "../text/index.ts";
import { unshownLines } from "./unshown-lines.ts";

/** A longer answer would push the conversation away, so it becomes a sheet. */
const NOTE_LINES = 6;
const NOTE_CHARACTERS = 500;

/**
 * Has the server run a command, and shows its answer: a few lines as a note, more as a sheet. `session` returns the one
 * in view, created if there is none yet.
 */
export function serverCommandRunner({ store, server }: WindowHost, session: () => Promise<Session>) {
  return async (name: string, args: string): Promise<void> => {
    const { serverCommands, session: inView, cwd } = store.get();
    const needsSession = serverCommands.find((each) => each.name.toLowerCase() === name)?.needsSession ?? true;
    const isInSession = needsSession || inView !== undefined;
    const answer = isInSession
      ? await (await session()).command({ name, args })
      : await server.call("command/run", { cwd, name, args });
    const text = unshownLines(answer.text, store.get());
    if (text === "") return;
    if (text.length <= NOTE_CHARACTERS && text.split("\n").length <= NOTE_LINES) {
      store.note("info", text);
      return;
    }
    const title = sanitise(`/${name}${args.trim() === "" ? "" : ` ${args.trim()}`}`).replace(/\s+/g, " ");
    store.set({ overlay: { kind: "text", title, text, scroll: 0, look: lookOf(name, args) } });
  };
}

/** How the answer is drawn: as a diff (`/diff`, `/compact diff`, `/inspect` and similar) or as results of `/recall`. */
function lookOf(name: string, args: string): TextSheet["look"] {
  const [first = "", ...more] = args.trim().split(/\s+/);
  if (name === "diff" || first === "diff") return "diff";
  if (name === "inspect" && first !== "full" && first !== "json") return "diff";
  return name === "recall" && !first.startsWith("#") ? { found: [first, ...more] } : undefined;
}
