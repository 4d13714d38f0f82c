import { type Fact, hereFacts } from "../overlays/sheets/here-facts.ts";
import type { AppState } from "../state/app-state.ts";
import { modelWarning, modesInForce } from "../state/selectors.ts";
import { shortCount } from "../widgets/hud-row.ts";
import type { CommandRow } from "./command-row.ts";

export const status: CommandRow = {
  description: "This session: model, context window, permissions, folder, changes",
  run({ store }) {
    const facts = statusFacts(store.get());
    const width = Math.max(...facts.map(([name]) => name.length)) + 2;
    const text = facts.map(([name, words]) => `${name.padEnd(width)}${words}`).join("\n");
    store.set({ overlay: { kind: "text", title: "Status", text, scroll: 0 } });
  },
};

function statusFacts(state: AppState): Fact[] {
  const { version, cwd, session, title, hud, reading } = state;
  const { permissionMode, mode: agentMode } = modesInForce(state);
  const { model, provider, context, mcp } = hud ?? {};
  const warning = modelWarning(state);
  const id = session?.sessionId ?? "";
  return [
    ["harness", version],
    ["Folder", cwd],
    ["Session", session ? (title === undefined ? id : `${title} (${id})`) : "none yet; the first message begins one"],
    ...(reading === undefined ? [] : [["Read only", reading] as const]),
    ["Model", model === undefined ? "none" : `${model}${provider === undefined ? "" : ` from ${provider}`}`],
    ...(warning === undefined ? [] : [["", warning] as const]),
    ...(context ? [["Context", contextText(context)] as const] : []),
    ...(mcp ? [["MCP servers", `${mcp.ready} of ${mcp.total} ready`] as const] : []),
    ...hereFacts({ hud, permissionMode, agentMode }),
  ];
}

function contextText({ usedTokens, windowTokens }: { usedTokens: number; windowTokens: number }): string {
  const percent = windowTokens > 0 ? Math.round((100 * usedTokens) / windowTokens) : 0;
  return `${shortCount(usedTokens)} of ${shortCount(windowTokens)} tokens (${percent} %); /context shows what they are`;
}
