import { protocolError } from "@harness/protocol";

/** Refuses a time that cannot be read. */
export function needDate(since: string | undefined): void {
  if (since === undefined || !Number.isNaN(Date.parse(since))) return;
  throw protocolError("invalid_params", `"${since}" is no date. Write it like 2026-11-21.`, { issues: [] });
}
