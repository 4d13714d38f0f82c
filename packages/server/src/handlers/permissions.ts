import { type Handlers, protocolError, type ServerMethods } from "@harness/protocol";
import { requireDirectory } from "@harness/workspace";
import type { HandlerHost } from "../handler-host.ts";

type Names = "permissions/list" | "permissions/add" | "permissions/revoke";

export function permissionsHandlers({
  sessions: { live },
  safety: { rules },
}: HandlerHost): Pick<Handlers<ServerMethods>, Names> {
  /** The session in memory, or the folder, that the request names. */
  const placeOf = async (params: { sessionId: string } | { cwd: string }) => {
    if ("sessionId" in params) {
      const { session, log } = live.need(params.sessionId);
      return { session, cwd: log.header.cwd };
    }
    await requireDirectory(params.cwd);
    return { cwd: params.cwd };
  };
  return {
    async "permissions/list"(params) {
      const place = await placeOf(params);
      const { user, project } = rules.at(place.cwd).paths;
      return { ...rules.list(place), userPath: user, projectPath: project };
    },
    async "permissions/add"(params) {
      await requireDirectory(params.cwd);
      const added = rules.add(params);
      if (!("problem" in added)) return added;
      const { problem, kind } = added;
      if (kind === "failed") throw protocolError("storage_failed", problem);
      throw protocolError("invalid_params", problem, { issues: [{ path: "rule", message: problem }] });
    },
    async "permissions/revoke"(params) {
      const { ruleId } = params;
      const revoked = rules.revoke(await placeOf(params), ruleId);
      // A rule that is gone already counts as revoked.
      if (!revoked) return {};
      if ("problem" in revoked) throw protocolError("storage_failed", revoked.problem);
      return revoked;
    },
  };
}
