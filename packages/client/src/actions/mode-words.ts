import type { AgentMode, PermissionMode } from "@harness/protocol";

/** The agent's current modes: its purpose, and how much runs without a question. */
export type Modes = { readonly permissionMode: PermissionMode; readonly mode?: AgentMode | undefined };

/** `word` names the mode in the HUD, `doc` says what it does. */
type Words = { readonly word: string; readonly doc: string };

/** In agent mode the permission mode is what the user needs to know. */
const byPermission: Readonly<Record<PermissionMode, Words>> = {
  default: { word: "asks first", doc: "You are asked before files change and before commands run." },
  review: {
    word: "edits reviewed",
    doc: "Edits wait beside the folder until you have gone through them; commands still ask.",
  },
  "accept-edits": {
    word: "edits allowed",
    doc: "Edits in this folder run without asking; other commands still ask.",
  },
  "auto-in-sandbox": {
    word: "commands in sandbox",
    doc: "Commands run in the sandbox without asking; edits still ask.",
  },
  deny: { word: "changes denied", doc: "What would need your permission is denied." },
  "allow-all": {
    word: "allows all",
    doc: "Edits, commands and requests run without asking; only the most dangerous ones ask.",
  },
};

const byMode: Readonly<Record<Exclude<AgentMode, "agent">, Words>> = {
  planning: { word: "planning", doc: "It reads and plans, and changes nothing." },
  research: { word: "research", doc: "It reads this folder and the web, and changes nothing." },
  casual: { word: "casual", doc: "It talks and searches the web; it has no access to files or commands." },
};

export function modeWords({ permissionMode, mode = "agent" }: Modes): Words {
  return mode === "agent" ? byPermission[permissionMode] : byMode[mode];
}

/** As a sentence, for the moment of a change. */
export function modeSentence(modes: Modes): string {
  const { word, doc } = modeWords(modes);
  return `${word.charAt(0).toUpperCase()}${word.slice(1)}: ${doc.charAt(0).toLowerCase()}${doc.slice(1)}`;
}

/**
 * The modes that Shift+Tab cycles through: asks first, edits allowed, edits reviewed, planning, and commands in the
 * sandbox if there is one. From any other mode, such as `deny`, it starts the cycle again.
 */
export function nextModes({ permissionMode, mode = "agent" }: Modes, { hasSandbox }: { hasSandbox: boolean }): Modes {
  const first = { permissionMode: "default", mode: "agent" } as const;
  const afterPlanning = hasSandbox ? ({ permissionMode: "auto-in-sandbox", mode: "agent" } as const) : first;
  if (mode !== "agent") return mode === "planning" ? afterPlanning : first;
  if (permissionMode === "default") return { permissionMode: "accept-edits", mode };
  if (permissionMode === "accept-edits") return { permissionMode: "review", mode };
  return permissionMode === "review" ? { permissionMode: "default", mode: "planning" } : first;
}
