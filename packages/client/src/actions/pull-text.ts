import type { CallParams, ClientNotifications } from "@harness/protocol";
import { byteCount } from "./byte-count.ts";

export type PullUpdate = CallParams<ClientNotifications, "models/pull_update">;

/** The progress of a download: `45% of 4.7 GB`, else the step in the server's words. */
export function pullText({
  status,
  completed = 0,
  total = 0,
}: Pick<PullUpdate, "status" | "completed" | "total">): string {
  return total > 0 ? `${Math.floor((completed / total) * 100)}% of ${byteCount(total)}` : status;
}
