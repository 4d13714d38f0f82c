import type { ChromeView } from "../../state/chrome-view.ts";
import { modeSentence } from "../../state/mode-words.ts";
import { counted } from "../../widgets/list-slice.ts";

export type HereView = Pick<ChromeView, "hud" | "permissionMode" | "agentMode">;

/** A name and what is to be said about it. */
export type Fact = readonly [name: string, text: string];

/** The current state, as far as it needs more than a word in the HUD. */
export function hereFacts({ hud, permissionMode, agentMode }: HereView): Fact[] {
  if (!hud) return [];
  const { sandbox, localOnly, agentChanges, git } = hud;
  const contained = sandbox?.active
    ? "Commands run in the sandbox."
    : `Commands run without a sandbox, with all your rights${sandbox?.why ? `: ${sandbox.why}` : "."}`;
  const changes = (of: { added: number; removed: number; changedFiles: number }): string =>
    `${counted(of.changedFiles, "file")}, +${of.added} −${of.removed}`;
  const local = "Local only: harness itself connects only to this machine and private networks.";
  return [
    ["Mode", `${modeSentence({ permissionMode, mode: agentMode })} Shift+Tab changes it.`],
    ["Commands", contained],
    ...(localOnly ? [["Network", local] as const] : []),
    ...(git ? [["Not committed", changes(git)] as const] : []),
    ...(agentChanges ? [["By the agent", `${changes(agentChanges)}, in this session`] as const] : []),
  ];
}
