import { needOf } from "./need.ts";
import type { ResolvedEffect } from "./resolved-effect.ts";
import { type Rule, ruleTouches } from "./rules/rule.ts";

/** A file that no permission mode lets an agent write unasked. `reason`: the end of a sentence about the call. */
export type GuardedWrite = { path: string; reason: string; by: "place" | "rule" };

type Surroundings = { roots: readonly string[]; rules: readonly Rule[] };

/**
 * The files among these that are guarded: protected, secret and outside ones, and those that a rule denies or asks
 * about. Pure.
 */
export function guardedWrites(
  tool: string,
  resolved: readonly ResolvedEffect[],
  { roots, rules }: Surroundings,
): GuardedWrite[] {
  const guards = rules.filter(({ decision }) => decision !== "allow");
  const place = { roots, strict: false, acceptsReaders: false, sawSecret: false };
  return resolved.flatMap((each): GuardedWrite[] => {
    if (each.effect.kind !== "write") return [];
    const { path } = each.effect;
    const rule = guards.find((guard) => ruleTouches(guard, tool, [each], roots));
    if (rule) return [{ path, reason: `is covered by the rule \`${rule.text}\``, by: "rule" }];
    const { plain, reason } = needOf(each, place);
    return plain === "write" ? [] : [{ path, reason, by: "place" }];
  });
}
