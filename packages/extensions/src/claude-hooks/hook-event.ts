/** The events, with the field that their matchers are compared with. */
const events = {
  PreToolUse: "tool",
  PostToolUse: "tool",
  UserPromptSubmit: undefined,
  SessionStart: "source",
  SessionEnd: "reason",
  Stop: undefined,
  SubagentStop: "agent_type",
  PreCompact: "trigger",
  Notification: "notification_type",
} as const;

/** The events of hooks in Claude's format. */
export type HookEvent = keyof typeof events;

/** In the order in which they occur in a session. */
export const hookEvents: readonly HookEvent[] = [
  "SessionStart",
  "UserPromptSubmit",
  "PreToolUse",
  "PostToolUse",
  "SubagentStop",
  "Stop",
  "PreCompact",
  "Notification",
  "SessionEnd",
];

export function isHookEvent(name: string): name is HookEvent {
  return Object.hasOwn(events, name);
}

/** The event-specific input, under the names of Claude Code. */
export type EventFields = Readonly<Record<string, unknown>>;

/**
 * The names that a hook's matcher is compared with; undefined if all hooks of the event run. `ownTool`: our name of the
 * tool.
 */
export function matchedNames(event: HookEvent, fields: EventFields, ownTool?: string): string[] | undefined {
  const by = events[event];
  if (by === undefined) return undefined;
  const name = fields[by === "tool" ? "tool_name" : by];
  return [name, ownTool].filter((each) => typeof each === "string");
}
