import { goalNotice, ROOT_AGENT, type SessionUpdate } from "@harness/protocol";

/**
 * Events besides the steps that the user should know about: warnings, refusals of a server, retries, failed subagents.
 */
export function noteText({ agentId, update }: SessionUpdate): string | undefined {
  const who = agentId === ROOT_AGENT ? "" : `[${agentId}] `;
  switch (update.sessionUpdate) {
    case "notice":
      if (update.severity === "info") return undefined;
      return who + [update.title, update.description].filter(Boolean).join(" ");
    case "goal_update": {
      const shown = goalNotice(update);
      return shown && [shown.title, shown.description].filter(Boolean).join(" ");
    }
    case "rewind_update":
      // Undo and rewind answer the command that asked for them.
      return update.fromFiles && update.title !== undefined ? who + update.title : undefined;
    case "config_option_update": {
      const { model, provider } = update.config;
      return update.reason !== undefined && (model ?? provider) !== undefined ? who + update.reason : undefined;
    }
    case "context_update":
      return update.reason === "refused" ? who + update.title : undefined;
    case "retry": {
      const { error, delayMs, attempt, maxAttempts } = update;
      const when = delayMs < 100 ? "at once" : `in ${(delayMs / 1000).toFixed(1)} s`;
      return `${who}Retrying ${when} (${attempt} of ${maxAttempts}) · ${error.message}`;
    }
    case "subagent_update":
      if (update.state !== "failed") return undefined;
      return `${who}The subagent for "${update.task.split("\n", 1)[0]}" failed: ${update.output ?? ""}`;
    default:
      return undefined;
  }
}
