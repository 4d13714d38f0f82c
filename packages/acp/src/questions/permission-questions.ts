import type { CallParams, ClientMethods, PermissionOutcome } from "@harness/protocol";
import type { ClientAsker } from "../peer/client-asker.ts";
import type { SessionPublisher } from "../updates/session-publisher.ts";
import { answerOptions, deniedOutcome, permissionOutcome } from "./permission-answers.ts";

type PermissionRequest = CallParams<ClientMethods, "session/request_permission">;

const UNASKED = "The editor could not ask the person about it.";

/** Asks the person whether a call may run: with exactly what the client was shown of it. */
export async function askPermission(
  { permission }: PermissionRequest,
  { publisher, asker, signal }: { publisher: SessionPublisher; asker: ClientAsker; signal: AbortSignal },
): Promise<PermissionOutcome> {
  const { sessionId, call } = publisher.asked(permission);
  const toolCall = { ...call, status: "pending" as const };
  const answer = await asker.choose({ sessionId, toolCall, options: answerOptions(permission) }, signal);
  return answer ? permissionOutcome(permission, answer) : deniedOutcome(permission, UNASKED);
}
