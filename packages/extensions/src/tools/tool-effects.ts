import { isAbsolute, resolve } from "node:path";
import { isRecord } from "@harness/host";
import type { Effect } from "@harness/protocol";

const KINDS = ["read", "write", "run", "reach", "spend"] as const;

/** An effect that a tool declares: its subject is named by an argument, or always the same. */
export type EffectRow = { kind: (typeof KINDS)[number] } & ({ argument: string } | { value: string });

/** The effects that a tool declares, or why they cannot be read, as a clause about it. */
export function readEffects(declared: unknown, args: Readonly<Record<string, unknown>>): EffectRow[] | string {
  if (!Array.isArray(declared)) return "the effects of its x-harness are not a list";
  const rows: EffectRow[] = [];
  for (const each of declared as unknown[]) {
    const kind = isRecord(each) ? KINDS.find((one) => one === each.kind) : undefined;
    if (!isRecord(each) || !kind) return `an effect of its x-harness has no kind (${KINDS.join(", ")})`;
    const { argument, value } = each;
    if (typeof argument === "string" && value === undefined) {
      if (!Object.hasOwn(args, argument))
        return `an effect of its x-harness names the argument ${argument}, which it does not have`;
      rows.push({ kind, argument });
    } else if (typeof value === "string" && value !== "" && argument === undefined) rows.push({ kind, value });
    else return "an effect of its x-harness names neither one argument nor one value";
  }
  return rows;
}

/**
 * The effects of a call. Undefined if an argument that an effect depends on is missing or not text, so that only the
 * tool knows what it does.
 */
export function effectsOf(
  rows: readonly EffectRow[],
  args: Readonly<Record<string, unknown>>,
  cwd: string,
): Effect[] | undefined {
  const effects: Effect[] = [];
  for (const row of rows) {
    const values = "value" in row ? [row.value] : textsOf(args[row.argument]);
    if (!values) return undefined;
    effects.push(...values.map((value) => effectOf(row.kind, value, cwd)));
  }
  return effects;
}

function textsOf(value: unknown): string[] | undefined {
  const texts = Array.isArray(value) ? value : [value];
  return texts.every((each) => typeof each === "string" && each !== "") ? texts : undefined;
}

function effectOf(kind: EffectRow["kind"], value: string, cwd: string): Effect {
  switch (kind) {
    case "read":
    case "write":
      return { kind, path: isAbsolute(value) ? value : resolve(cwd, value) };
    case "run":
      return { kind, command: value, cwd };
    case "reach":
      return { kind, url: value };
    case "spend":
      return { kind, what: value };
  }
}
