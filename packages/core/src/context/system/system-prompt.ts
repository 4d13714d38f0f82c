import type { ContextSectionName } from "@harness/protocol";
import { fairShares } from "../shrinking/fair-shares.ts";
import type { PromptBudget } from "./prompt-budget.ts";
import { SKILL_CATALOGUE } from "./sections/skill-catalogue.ts";
import type { AgentText, SectionText, SystemPiece, SystemSection } from "./system-section.ts";

/** Separates two pieces. */
const GAP = "\n\n";

/** A section with the content read for it. */
export type ReadSection = Pick<SystemSection, "name" | "room"> & { text: SectionText };

type WrittenSection = { name: ContextSectionName; pieces: readonly SystemPiece[] };

/** The system text, the same text without the skill catalogue, which is a separate step, and the sections of both. */
export type AssembledSystemText = { text: string; withoutCatalogue: string; sections: readonly WrittenSection[] };

export type PromptRoom = {
  budget: PromptBudget;
  /** Characters of the budget that the tools of the first request take. */
  toolChars: number;
  agent: AgentText;
};

/**
 * Writes the system text in its fixed order, within the budget that the tools leave. Sections that may be cut share the
 * room left by the others. The same sections give the same bytes.
 */
export function systemPrompt(
  read: readonly ReadSection[],
  { budget, toolChars, agent }: PromptRoom,
): AssembledSystemText {
  const write = ({ text }: ReadSection, chars: number) =>
    text.write({ chars, budget, agent }).filter((piece) => piece.text !== "");
  const written = read.map((each) => write(each, typeof each.room === "function" ? each.room(budget) : Infinity));
  const lengths = (room: SystemSection["room"]) =>
    read.map((each, index) => (each.room === room ? lengthOf(written[index] ?? []) : 0));
  const taken = lengths("whole").reduce((sum, length) => sum + length, 0);
  const shares = fairShares(lengths("shared"), budget.maxChars - toolChars - taken);
  const sections = read.map((each, index) => {
    const isCut = each.room === "shared" && lengthOf(written[index] ?? []) > (shares[index] ?? 0);
    return { name: each.name, pieces: isCut ? write(each, shares[index] ?? 0) : (written[index] ?? []) };
  });
  const pieces = sections.flatMap((section) => section.pieces);
  const others = pieces.filter(({ name }) => name !== SKILL_CATALOGUE);
  const text = textOf(pieces);
  return { text, withoutCatalogue: others.length === pieces.length ? text : textOf(others), sections };
}

/** The system text with the skill catalogue: in its usual place, or at the end if hooks have changed the text. */
export function withCatalogue({ text, withoutCatalogue, sections }: AssembledSystemText, system: string): string {
  if (system === withoutCatalogue) return text;
  const catalogue = sections.flatMap(({ pieces }) => pieces.filter(({ name }) => name === SKILL_CATALOGUE));
  return [system, ...catalogue.map((piece) => piece.text)].filter(Boolean).join(GAP);
}

function textOf(pieces: readonly SystemPiece[]): string {
  return pieces.map((piece) => piece.text).join(GAP);
}

function lengthOf(pieces: readonly SystemPiece[]): number {
  return pieces.reduce((sum, { text }) => sum + text.length + GAP.length, 0);
}
