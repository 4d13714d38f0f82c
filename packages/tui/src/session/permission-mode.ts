import type { PermissionMode } from "@harness/protocol";

/** The next permission mode for Shift+Tab, in a cycle of the modes used while working. */
export function nextPermissionMode(current: string, { hasSandbox }: { hasSandbox: boolean }): PermissionMode {
  const round: PermissionMode[] = ["default", "accept-edits", "plan"];
  if (hasSandbox) round.push("auto-in-sandbox");
  const at = round.indexOf(current as PermissionMode);
  // Modes outside the cycle (deny, auto) lead to the default.
  return at < 0 ? "default" : (round[(at + 1) % round.length] ?? "default");
}
