import type { PermissionMode } from "@harness/protocol";
import type { Verdict } from "./decide.ts";

/** The deciding rule, mode or person, as the audit log names it. */
export function describeDecider({ by, rule }: Verdict, permissionMode: PermissionMode): string {
  switch (by) {
    case "rule":
      return rule?.text ?? "rule";
    case "workspace":
    case "reader":
      return "read-only";
    case "setting":
      return "safe_command_prefixes";
    case "grant":
      return "an answer given in this session";
    case "mode":
      return `mode ${permissionMode}`;
    case "nobody":
      return "nobody could be asked";
    default:
      return by;
  }
}
