import type { Participant } from "./participant.ts";

/** By contender: every counted run. */
export type Measured = Map<string, number[]>;

const WARM_UPS = 2;

/**
 * Measures all participants in turn: the order is reversed each round, the first rounds do not count. A participant
 * that fails is out, with the reason recorded; the others go on. A measurement may have several figures.
 */
export async function inTurn(
  participants: readonly Participant[],
  rounds: { readonly counted: number; readonly warmUps?: number },
  measure: (participant: Participant, round: number) => Promise<Readonly<Record<string, number>>>,
): Promise<Record<string, Measured>> {
  const failed = new Set<string>();
  const figures: Record<string, Measured> = {};
  const warmUps = rounds.warmUps ?? WARM_UPS;
  for (let round = 0; round < warmUps + rounds.counted; round += 1) {
    const order = round % 2 === 0 ? participants : participants.toReversed();
    for (const participant of order) {
      const { name } = participant.contender;
      if (failed.has(name)) continue;
      try {
        const found = await measure(participant, round);
        if (round < warmUps) continue;
        for (const [figure, value] of Object.entries(found)) {
          figures[figure] ??= new Map();
          const values = figures[figure];
          values.set(name, [...(values.get(name) ?? []), value]);
        }
      } catch (error) {
        failed.add(name);
        participant.problems.push(error instanceof Error ? error.message : String(error));
      }
    }
  }
  return figures;
}
