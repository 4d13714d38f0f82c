import type { PermissionMode } from "@harness/protocol";

/** The mode that Shift+Tab leads to: round the ones that a person wants while working. */
export function nextPermissionMode(current: string, hasSandbox: boolean): PermissionMode {
  const round: PermissionMode[] = ["default", "accept-edits", "plan"];
  if (hasSandbox) round.push("auto-in-sandbox");
  const at = round.indexOf(current as PermissionMode);
  // Out of another one (deny, auto) it leads to the usual one.
  return at < 0 ? "default" : (round[(at + 1) % round.length] ?? "default");
}
