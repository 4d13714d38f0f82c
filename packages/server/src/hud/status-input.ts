import type { Hud } from "@harness/protocol";

type StatusFacts = {
  sessionId: string;
  title: string | undefined;
  cwd: string;
  version: string;
  /** Undefined for a session that leaves nothing behind. */
  transcriptPath: string | undefined;
};

/** The stdin of the `statusline` command, with Claude Code's names where they exist. */
export function statusInput({ sessionId, title, cwd, version, transcriptPath }: StatusFacts, hud: Hud): string {
  const { context, cost, git, agentChanges, model, provider } = hud;
  const percent = (tokens: number, of: number) => (of > 0 ? Math.round((100 * tokens) / of) : 0);
  return JSON.stringify({
    hook_event_name: "Status",
    session_id: sessionId,
    session_name: title,
    transcript_path: transcriptPath,
    cwd,
    workspace: { current_dir: cwd, project_dir: cwd },
    version,
    model:
      model === undefined ? undefined : { id: model, display_name: model.slice(model.lastIndexOf("/") + 1), provider },
    cost: {
      total_cost_usd: cost?.usd ?? 0,
      total_lines_added: agentChanges?.added ?? 0,
      total_lines_removed: agentChanges?.removed ?? 0,
    },
    context_window: context && {
      context_window_size: context.windowTokens,
      used_tokens: context.usedTokens,
      used_percentage: percent(context.usedTokens, context.usableTokens ?? context.windowTokens),
      remaining_percentage: 100 - percent(context.usedTokens, context.usableTokens ?? context.windowTokens),
    },
    git: git && { branch: git.branch, added: git.added, removed: git.removed, changed_files: git.changedFiles },
    mode: hud.mode,
    permission_mode: hud.permissionMode,
    sandbox: hud.sandbox?.active ?? false,
    local_only: hud.localOnly ?? false,
    agents_running: hud.agentsRunning,
    queued: hud.queued,
  });
}
