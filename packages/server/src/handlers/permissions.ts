import { type Handlers, type permissionsMethods, protocolError } from "@harness/protocol";
import type { HandlerHost } from "../handler-host.ts";

export function permissionsHandlers({
  sessions: { live },
  workspaces,
}: HandlerHost): Handlers<typeof permissionsMethods> {
  /** The session in memory, or the folder, that the request names. */
  const placeOf = async (params: { sessionId: string } | { cwd: string }) => {
    if ("sessionId" in params) {
      const { session, workspace } = live.need(params.sessionId);
      return { session, rules: workspace.safety.rules };
    }
    const { safety } = await workspaces.need(params.cwd);
    return { session: undefined, rules: safety.rules };
  };
  return {
    async "permissions/list"(params) {
      const { session, rules } = await placeOf(params);
      const { user, project } = rules.policies.paths;
      return { ...rules.list(session), userPath: user, projectPath: project };
    },
    async "permissions/add"({ cwd, ...rule }) {
      const added = (await workspaces.need(cwd)).safety.rules.add(rule);
      if (!("problem" in added)) return added;
      const { problem, kind } = added;
      if (kind === "failed") throw protocolError("storage_failed", problem);
      throw protocolError("invalid_params", problem, { issues: [{ path: "rule", message: problem }] });
    },
    async "permissions/revoke"(params) {
      const { session, rules } = await placeOf(params);
      const revoked = rules.revoke(params.ruleId, session);
      // A rule that is already gone counts as revoked.
      if (!revoked) return {};
      if ("problem" in revoked) throw protocolError("storage_failed", revoked.problem);
      return revoked;
    },
  };
}
