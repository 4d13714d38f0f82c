import type { Pressure } from "@harness/protocol";
import type { Role } from "../theme/theme.ts";

/** How full a context window is, once that matters: a word, and a colour that repeats it. */
export const pressures: Record<Pressure, { readonly word: string; readonly role: Role } | undefined> = {
  none: undefined,
  warn: { word: "filling up", role: "warning" },
  critical: { word: "nearly full", role: "error" },
};

export function pressureOf(usedTokens: number, ofTokens: number): Pressure {
  const share = ofTokens > 0 ? usedTokens / ofTokens : 0;
  if (share >= 0.9) return "critical";
  return share >= 0.7 ? "warn" : "none";
}
