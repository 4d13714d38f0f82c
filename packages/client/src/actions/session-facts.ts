import type { AgentMode, Hud, PermissionMode } from "@harness/protocol";
import { modeSentence } from "./mode-words.ts";

/** The current state of a session; `modeHint` says how to change its mode. */
export type HereView = {
  readonly hud: Hud | undefined;
  readonly permissionMode: PermissionMode;
  readonly agentMode: AgentMode | undefined;
  readonly modeHint: string;
};

export type SessionView = HereView & {
  readonly version: string;
  readonly cwd: string;
  readonly sessionId: string | undefined;
  readonly title: string | undefined;
  /** Why the session is only read. */
  readonly reading?: string | undefined;
};

/** A label and its text. */
export type LabelledText = readonly [name: string, text: string];

/** The current state, as far as it needs more than a word in the HUD. */
export function hereFacts({ hud, permissionMode, agentMode, modeHint }: HereView): LabelledText[] {
  if (!hud) return [];
  const { sandbox, localOnly, agentChanges, git } = hud;
  const contained = sandbox?.active
    ? "Commands run in the sandbox."
    : `Commands run without a sandbox, with all your rights${sandbox?.why ? `: ${sandbox.why}` : "."}`;
  const changes = (of: { added: number; removed: number; changedFiles: number }): string =>
    `${of.changedFiles} ${of.changedFiles === 1 ? "file" : "files"}, +${of.added} −${of.removed}`;
  const local = "Local only: harness itself connects only to this machine and private networks.";
  return [
    ["Mode", `${modeSentence({ permissionMode, mode: agentMode })} ${modeHint}`.trimEnd()],
    ["Commands", contained],
    ...(localOnly ? [["Network", local] as const] : []),
    ...(git ? [["Not committed", changes(git)] as const] : []),
    ...(agentChanges ? [["By the agent", `${changes(agentChanges)}, in this session`] as const] : []),
  ];
}

/** The answer to `/status`. */
export function sessionFacts(view: SessionView): LabelledText[] {
  const { version, cwd, sessionId, title, reading, hud } = view;
  const { model, provider, context, mcp, place = provider && `from ${provider}` } = hud ?? {};
  const warning = hud?.problem ?? hud?.warning;
  const named = title === undefined ? sessionId : `${title} (${sessionId})`;
  return [
    ["harness", version],
    ["Folder", cwd],
    ["Session", sessionId === undefined ? "none yet; the first message begins one" : (named ?? "")],
    ...(reading === undefined ? [] : [["Read only", reading] as const]),
    ["Model", model === undefined ? "none" : [model, place].filter(Boolean).join(" ")],
    ...(warning === undefined ? [] : [["", warning] as const]),
    ...(context ? [["Context", contextText(context)] as const] : []),
    ...(mcp ? [["MCP servers", `${mcp.ready} of ${mcp.total} ready`] as const] : []),
    ...hereFacts(view),
  ];
}

/** Labels and texts in two columns. */
export function factLines(facts: readonly LabelledText[]): string {
  const width = Math.max(...facts.map(([name]) => name.length)) + 2;
  return facts.map(([name, words]) => `${name.padEnd(width)}${words}`).join("\n");
}

function contextText({ usedTokens, windowTokens, usableTokens = windowTokens }: NonNullable<Hud["context"]>): string {
  const percent = usableTokens > 0 ? Math.round((100 * usedTokens) / usableTokens) : 0;
  const [used, all] = [usedTokens, usableTokens].map((count) => count.toLocaleString("en"));
  return `${used} of ${all} usable tokens (${percent} %); /context shows what they are`;
}
