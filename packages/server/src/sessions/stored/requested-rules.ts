import { parseRule } from "@harness/gate";
import { protocolError } from "@harness/protocol";
import type { Workspace } from "@harness/workspace";
import type { AskedOfSession } from "../session-options.ts";

/** Refuses rules that cannot be parsed: they would protect against nothing. */
export function needRules(rules: AskedOfSession["rules"], { brought }: Workspace): void {
  const { allow = [], deny = [] } = rules ?? {};
  if (allow.length === 0 && deny.length === 0) return;
  const tools = brought.tools.forRules;
  const issues = Object.entries({ allow, deny }).flatMap(([kind, texts]) =>
    texts.flatMap((text, n) => {
      const rule = parseRule(text, tools);
      return "problem" in rule ? [{ path: `rules.${kind}.${n}`, message: rule.problem }] : [];
    }),
  );
  if (issues.length > 0)
    throw protocolError("invalid_params", issues.map(({ message }) => message).join(" "), { issues });
}
