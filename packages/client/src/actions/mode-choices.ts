import type { SessionConfig } from "@harness/protocol";
import { type Modes, modeWords } from "./mode-words.ts";

/** A mode as an entry of a menu that has one for both: what runs without a question, and planning. */
export type ModeChoice = { readonly id: string; readonly name: string; readonly doc: string };

const modes: Readonly<Record<string, Modes>> = {
  default: { permissionMode: "default", mode: "agent" },
  "accept-edits": { permissionMode: "accept-edits", mode: "agent" },
  review: { permissionMode: "review", mode: "agent" },
  "auto-in-sandbox": { permissionMode: "auto-in-sandbox", mode: "agent" },
  plan: { permissionMode: "default", mode: "planning" },
  deny: { permissionMode: "deny", mode: "agent" },
  "allow-all": { permissionMode: "allow-all", mode: "agent" },
};

export const modeChoices: readonly ModeChoice[] = Object.entries(modes).map(([id, each]) => {
  const { word, doc } = modeWords(each);
  return { id, name: `${word.charAt(0).toUpperCase()}${word.slice(1)}`, doc };
});

export function modeChoiceId({ permissionMode, mode }: Modes): string {
  return mode === "planning" ? "plan" : permissionMode;
}

/** The configuration of a choice: the permission mode stays while planning; undefined if there is no such choice. */
export function modeChoiceConfig(id: string, now: Modes): SessionConfig | undefined {
  if (!Object.hasOwn(modes, id)) return undefined;
  if (id === "plan") return { mode: "planning" };
  const { permissionMode } = modes[id] ?? now;
  return { permissionMode, ...(now.mode === "planning" ? { mode: "agent" as const } : {}) };
}
