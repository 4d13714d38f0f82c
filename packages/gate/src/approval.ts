import type { Effect, Risk } from "@harness/protocol";
import { isSameCall, type ResolvedEffect } from "./resolved-effect.ts";
import type { CheckedLine } from "./shell/checked-line.ts";

/** The paths of a call's effects, with links resolved when it was evaluated. */
export type RealPaths = ReadonlyMap<string, string>;

/** An approved call: exactly these effects, run in this way. */
export type Approval = {
  readonly realPaths: RealPaths;
  readonly resolved: readonly ResolvedEffect[];
  /** Real folders that count as the workspace. */
  readonly roots: readonly string[];
  /** True if its commands run in the sandbox. */
  readonly sandboxed: boolean;
  /** Present if it only reads: exactly this may run. */
  readonly checked?: CheckedLine;
  /** Files, by their real paths, that a folder search must skip, because a rule denies or asks about them. */
  hides?(realPath: string): boolean;
  readonly risk: Risk;
  /** True if the user approved exactly this. */
  readonly byPerson: boolean;
  /** The deciding rule, mode or user, as the audit log names it. */
  readonly by: string;
};

export type Allowance = { verdict: "allowed"; approval: Approval };
/** `text` is for the model, `shown` for people. */
export type Denial = { verdict: "denied"; text: string; shown: string };
export type AskAgain = { verdict: "again" };
/** The outcome of a call at the gate; `failed`: it could not have worked, so nobody was asked. */
export type Outcome =
  | Allowance
  | Denial
  | { verdict: "failed"; text: string; shown: string | undefined }
  | { verdict: "cancelled" };

/**
 * True if the call provably only reads although it runs commands. It must run as it was checked: as text, even `git
 * diff` runs programs that the repository names. False for a call that runs no command.
 */
export function runsOnlyReaders({ checked, resolved }: Pick<Approval, "checked" | "resolved">): boolean {
  const isReader = ({ effect, command }: ResolvedEffect) =>
    effect.kind === "read" || (effect.kind === "run" && command?.onlyReads === true);
  return checked !== undefined && resolved.some(({ effect }) => effect.kind === "run") && resolved.every(isReader);
}

type ApprovalOptions = Omit<Approval, "realPaths">;

export function approvalFor(effects: readonly Effect[], options: ApprovalOptions): Approval {
  const realPaths = new Map<string, string>();
  effects.forEach((effect, index) => {
    const each = options.resolved[index];
    if ("path" in effect && each?.realPath !== undefined) realPaths.set(effect.path, each.realPath);
    if (effect.kind === "run" && each?.effect.kind === "run") realPaths.set(effect.cwd, each.effect.cwd);
  });
  return { ...options, realPaths };
}

/** True if an approval of one also holds for the other. */
export function isSameApproval(some: Approval, other: Approval): boolean {
  return some.sandboxed === other.sandboxed && isSameCall(some.resolved, other.resolved);
}
