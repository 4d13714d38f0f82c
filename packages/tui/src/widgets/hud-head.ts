import type { Hud } from "@harness/protocol";
import { sanitiseLine } from "../text/index.ts";
import type { Role } from "../theme/theme.ts";

/** `isName`: a name that is shortened in its middle where there is no room for all of it. */
export type HudPart = { readonly text: string; readonly role?: Role | undefined; readonly isName?: boolean };

type GitHead = NonNullable<Hud["git"]>;

/** The words for an operation of git, before the branch that it is about. */
const operationWords: Record<NonNullable<GitHead["operation"]>, string> = {
  rebasing: "rebasing",
  "applying patches": "applying patches to",
  merging: "merging into",
  "cherry-picking": "cherry-picking onto",
  reverting: "reverting on",
  bisecting: "bisecting",
};

/** A branch, or a tag or commit; how far it is from its upstream branch. */
export function headParts({ branch, isDetached, operation, ahead, behind }: GitHead): HudPart[] {
  const before = operation ? `${operationWords[operation]} ` : isDetached ? "at " : "";
  const away = `${ahead ? ` ↑${ahead}` : ""}${behind ? ` ↓${behind}` : ""}`;
  const doing: HudPart = { text: before, role: operation ? "warning" : "accent" };
  return [
    ...(before === "" ? [] : [doing]),
    { text: sanitiseLine(branch), role: "accent", isName: true },
    ...(away === "" ? [] : [{ text: away, role: "muted" as const }]),
  ];
}
