import type { PermissionMode } from "@harness/protocol";
import { type Verdict, whyOf } from "./decide.ts";

const READ_ONLY = "read-only";
const GRANT = "an answer given in this session";
const NOBODY = "nobody could be asked";
const SETTING = "safe_command_prefixes";

/** The deciding rule, mode or user, as the audit log names it. */
export function describeDecider({ by, rule }: Verdict, permissionMode: PermissionMode): string {
  switch (by) {
    case "rule":
      return rule ? `${rule.text}${whyOf(rule)}` : "rule";
    case "workspace":
    case "reader":
      return READ_ONLY;
    case "setting":
      return SETTING;
    case "grant":
      return GRANT;
    case "mode":
      return `mode ${permissionMode}`;
    case "nobody":
      return NOBODY;
    default:
      return by;
  }
}

const phrases = new Map([
  [READ_ONLY, ", as it only reads"],
  [GRANT, ` by ${GRANT}`],
  [NOBODY, `, as ${NOBODY}`],
  [SETTING, ` by the setting ${SETTING}`],
  ["agent mode", " by the agent mode"],
  ["hook", " by a hook"],
  ["sandbox", ", as it would run without the sandbox"],
  ["rule", " by a rule"],
  ["person", " by a person"],
  // A call that was given up before it was decided.
  ["stop", ", as it was stopped"],
  ["preview", ", as it would have failed"],
]);

/** The phrase that follows the verdict in a sentence, for a decider as the audit log names it. */
export function deciderPhrase(by: string): string {
  const phrase = phrases.get(by);
  if (phrase !== undefined) return phrase;
  if (by.startsWith("mode ")) return ` by the permission ${by}`;
  return by.startsWith("person (") ? ` by a ${by}` : ` by the rule ${by}`;
}
