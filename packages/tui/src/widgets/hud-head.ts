import type { Hud } from "@harness/protocol";
import { shortCount } from "../figures/short-count.ts";
import { sanitiseLine, truncateText } from "../text/index.ts";
import type { Role } from "../theme/theme.ts";

/**
 * `isName`: a name that is shortened in its middle where there is no room for all of it. `isSentence`: one that is
 * shortened at its end.
 */
export type HudPart = {
  readonly text: string;
  readonly role?: Role | undefined;
  readonly isName?: boolean;
  readonly isSentence?: boolean;
};

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

type Goal = NonNullable<Hud["goal"]>;

const GOAL_COLUMNS = 40;

/** The goal that the agent works towards. */
export function goalParts({ text, state }: Goal): HudPart[] {
  const isPaused = state === "paused";
  return [
    { text: isPaused ? "goal paused: " : "goal ", role: isPaused ? "warning" : "muted" },
    { text: cutSentence(sanitiseLine(text), GOAL_COLUMNS), isSentence: true },
  ];
}

/** Cut at its end, without a blank before the ellipsis. */
export function cutSentence(text: string, width: number): string {
  return truncateText(text, width).replace(/ +…$/, "…");
}

/** How much of its limits is used. */
export function goalLimits({ checks, tokens, usd }: Goal): string {
  return [
    `${checks.used}/${checks.of} ${checks.of === 1 ? "check" : "checks"}`,
    ...(tokens ? [`${shortCount(tokens.used)}/${shortCount(tokens.of)} tokens`] : []),
    ...(usd ? [`$${usd.used.toFixed(2)}/$${usd.of}`] : []),
  ].join(", ");
}
