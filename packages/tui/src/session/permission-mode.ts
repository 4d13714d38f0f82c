import type { Hud, PermissionMode } from "@harness/protocol";

/** The mode that Shift+Tab leads to: round the ones that a person wants while working. */
export function nextPermissionMode(hud: Pick<Hud, "permissionMode" | "sandbox"> | undefined): PermissionMode {
  const round: PermissionMode[] = ["default", "accept-edits", "plan"];
  if (hud?.sandbox?.active) round.push("auto-in-sandbox");
  const at = round.findIndex((mode) => mode === (hud?.permissionMode ?? "default"));
  // Out of another one (deny, auto) it leads to the usual one.
  return at < 0 ? "default" : (round[(at + 1) % round.length] ?? "default");
}
