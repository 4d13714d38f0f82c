import { type AgentMode, type PermissionMode, stricter } from "@harness/protocol";

/** How an agent differs from its session. None of it can go beyond what the session allows. */
export type AgentRole = {
  /** The definition it was started with. */
  readonly name?: string | undefined;
  /** Replaces the mode's text. */
  readonly prompt?: string | undefined;
  readonly mode?: AgentMode | undefined;
  readonly permissionMode?: PermissionMode | undefined;
};

/** The role of a child: it may do no more than the agent that starts it. */
export function roleUnder(parent: AgentRole, own: AgentRole): AgentRole {
  const { mode = parent.mode, permissionMode = parent.permissionMode } = own;
  return {
    ...own,
    mode: mode && effectiveMode(parent, mode),
    permissionMode: permissionMode && effectivePermissionMode(parent, permissionMode),
  };
}

/** The mode of the agent in a session with this mode. */
export function effectiveMode({ mode }: AgentRole, session: AgentMode): AgentMode {
  return mode ? stricter("preferred_mode", mode, session) : session;
}

/** The permission mode of the agent in a session with this mode. */
export function effectivePermissionMode({ permissionMode }: AgentRole, session: PermissionMode): PermissionMode {
  return permissionMode ? stricter("permission_mode", permissionMode, session) : session;
}
