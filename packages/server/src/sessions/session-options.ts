import type { SessionOptions, SessionValues } from "@harness/core";
import type { CallParams, ServerMethods, Settings } from "@harness/protocol";
import type { FolderSettings } from "@harness/workspace";

/** The options that a client may ask for when it starts or opens a session. */
export type AskedOfSession = Pick<
  CallParams<ServerMethods, "session/new">,
  "config" | "rules" | "limits" | "fallbackModels" | "customInstructions" | "additionalDirectories" | "agent" | "mcp"
>;

/**
 * The options of a session, from the settings and from the request that opens it. `read`: returns the current settings.
 */
export function sessionOptions(
  read: () => FolderSettings["current"],
  request: AskedOfSession,
  {
    loaded,
    agent,
  }: { loaded?: SessionOptions["loaded"] | undefined; agent?: SessionOptions["agent"] | undefined } = {},
): SessionOptions {
  let from = read();
  let values = sessionValues(from.values, request);
  return {
    mode: request.config?.mode ?? from.values.preferred_mode,
    rules: { allow: request.rules?.allow ?? [], deny: request.rules?.deny ?? [] },
    values() {
      const now = read();
      if (now !== from) {
        from = now;
        values = sessionValues(now.values, request);
      }
      return values;
    },
    ...(agent ? { agent } : {}),
    ...(loaded ? { loaded } : {}),
  };
}

function sessionValues(
  values: Settings,
  { limits, fallbackModels, customInstructions }: AskedOfSession,
): SessionValues {
  return {
    ...values,
    fallback_models: fallbackModels ?? values.fallback_models,
    custom_instructions: customInstructions ?? values.custom_instructions,
    // The target must be lower than the trigger.
    compact_target: Math.min(values.compact_target, values.compact_trigger - 10),
    limits: {
      maxTurns: limits?.maxTurns ?? values.max_turns,
      maxToolCalls: values.max_tool_calls,
      ...(limits?.questionTimeoutMs === undefined ? {} : { questionTimeoutMs: limits.questionTimeoutMs }),
      ...(limits?.budget ? { budget: limits.budget } : {}),
    },
    agentLimits: {
      maxDepth: values.max_agent_depth,
      maxAtOnce: values.max_agents,
      maxInSession: values.max_session_agents,
      maxInServer: values.max_server_agents,
      maxStarts: values.max_agent_starts,
      budget: { tokens: values.max_agent_tokens, seconds: values.max_agent_seconds, usd: values.max_agent_usd },
    },
    toolLimits: { resultChars: limitsByTool(values.tool_max_chars), runMs: limitsByTool(values.tool_max_ms) },
  };
}

/** Entries such as `bash=8000`; the last one for a tool counts. */
function limitsByTool(entries: readonly string[]): Record<string, number> {
  return Object.fromEntries(
    entries.map((entry) => entry.split("=")).map(([name = "", limit]) => [name, Number(limit)]),
  );
}
