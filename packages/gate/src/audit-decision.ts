import type { AuditEntry, PermissionMode } from "@harness/protocol";
import type { Approval } from "./approval.ts";
import type { GateCall } from "./gate-call.ts";
import type { Clock } from "./ports/clock.ts";
import type { AuditLog } from "./ports/policies.ts";

type AuditContext = { audit: AuditLog; clock: Clock; sessionId: string; cwd: string };

/** Writes the outcome of a call to the audit log. False: it could not be written. */
export function auditDecision(
  { audit, clock, sessionId, cwd }: AuditContext,
  call: GateCall,
  permissionMode: PermissionMode,
  outcome: Pick<AuditEntry, "verdict"> & Pick<Approval, "by" | "byPerson" | "risk">,
): boolean {
  const commands = call.effects.flatMap((effect) => (effect.kind === "run" ? [effect] : []));
  return audit.decided({
    monotonicMs: clock.monotonicMs(),
    sessionId,
    toolCallId: call.toolCallId,
    tool: call.tool,
    text: commands.length > 0 ? commands.map(({ command }) => command).join("\n") : call.title,
    cwd: commands[0]?.cwd ?? cwd,
    verdict: outcome.verdict,
    by: outcome.by,
    auto: !outcome.byPerson,
    mode: permissionMode,
    risk: outcome.risk,
  });
}
