import type { LoadedSession, SessionOptions } from "@harness/core";
import type { CallParams, ServerMethods, Settings } from "@harness/protocol";

/** The options that a client may ask for when it starts or opens a session. */
export type AskedOfSession = Pick<
  CallParams<ServerMethods, "session/new">,
  "config" | "rules" | "limits" | "customInstructions" | "additionalDirectories"
>;

/** The options of a session, from the settings and from the request that opens it. */
export function sessionOptions(
  values: Pick<
    Settings,
    | "permission_mode"
    | "preferred_mode"
    | "max_turns"
    | "max_tool_calls"
    | "custom_instructions"
    | "auto_compact_enabled"
  >,
  asked: AskedOfSession,
  loaded?: LoadedSession,
): SessionOptions {
  return {
    permissionMode: asked.config?.permissionMode ?? values.permission_mode,
    mode: asked.config?.mode ?? values.preferred_mode,
    rules: { allow: asked.rules?.allow ?? [], deny: asked.rules?.deny ?? [] },
    limits: {
      maxTurns: asked.limits?.maxTurns ?? values.max_turns,
      maxToolCalls: values.max_tool_calls,
      ...(asked.limits?.questionTimeoutMs === undefined ? {} : { questionTimeoutMs: asked.limits.questionTimeoutMs }),
    },
    customInstructions: asked.customInstructions ?? values.custom_instructions,
    autoCompact: values.auto_compact_enabled,
    ...(loaded ? { loaded } : {}),
  };
}
