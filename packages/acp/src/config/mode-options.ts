import type { SessionMode, SessionModeState } from "@agentclientprotocol/sdk/unstable";
import { type Modes, modeWords } from "@harness/client/actions";
import type { SessionConfig } from "@harness/protocol";

/** The modes that a client chooses from: what runs without a question, and planning, which changes nothing. */
const modes: Readonly<Record<string, Modes>> = {
  default: { permissionMode: "default", mode: "agent" },
  "accept-edits": { permissionMode: "accept-edits", mode: "agent" },
  review: { permissionMode: "review", mode: "agent" },
  "auto-in-sandbox": { permissionMode: "auto-in-sandbox", mode: "agent" },
  plan: { permissionMode: "default", mode: "planning" },
  deny: { permissionMode: "deny", mode: "agent" },
  "allow-all": { permissionMode: "allow-all", mode: "agent" },
};

export const availableModes: readonly SessionMode[] = Object.entries(modes).map(([id, each]) => {
  const { word, doc } = modeWords(each);
  return { id, name: `${word.charAt(0).toUpperCase()}${word.slice(1)}`, description: doc };
});

export function modeState(now: Modes): SessionModeState {
  return { currentModeId: currentModeId(now), availableModes: [...availableModes] };
}

export function currentModeId({ permissionMode, mode }: Modes): string {
  return mode === "planning" ? "plan" : permissionMode;
}

/** The configuration of a mode: the permission mode stays while planning; undefined if there is no such mode. */
export function modeConfig(id: string, now: Modes): SessionConfig | undefined {
  if (!Object.hasOwn(modes, id)) return undefined;
  if (id === "plan") return { mode: "planning" };
  const { permissionMode } = modes[id] ?? now;
  return { permissionMode, ...(now.mode === "planning" ? { mode: "agent" as const } : {}) };
}
