// The contract of every view of facts, whatever it keeps of them.
import type { SessionUpdate, StoredFact } from "@harness/protocol";
import { describe, expect, it } from "vitest";
import { deltasBefore, sampleLog } from "./sample-log.ts";

const SESSION = "s1";

/** A fact as views of one session see it, and as the server sends it. */
type SampleFact = StoredFact & { sessionId: string };

type OpenView<Seen> = {
  view: { see(fact: Seen): unknown };
  /** The current state of the view, as its users see it; a promise if they wait for it. */
  kept(): unknown;
};

/** A row of the suite: opens a new view. */
export type FactViewRow = { name: string; open(): OpenView<SampleFact> };

/** For a view that sees deltas as well. */
export type UpdateViewRow = { name: string; open(): OpenView<SessionUpdate> };

/** Facts as they are read from disk, shared with nothing else. */
function stored(facts: readonly StoredFact[] = sampleLog): SampleFact[] {
  return facts.map((fact) => ({ sessionId: SESSION, ...(JSON.parse(JSON.stringify(fact)) as StoredFact) }));
}

/** Freezes every value in it, so that a change throws. */
function frozen<T>(value: T): T {
  if (typeof value !== "object" || value === null) return value;
  for (const each of Object.values(value)) frozen(each);
  return Object.freeze(value);
}

async function replayed({ open }: FactViewRow, facts: readonly SampleFact[]): Promise<unknown> {
  const { view, kept } = open();
  for (const fact of facts) view.see(fact);
  return structuredClone(await kept());
}

export function factViewContract(row: FactViewRow): void {
  describe(`view of facts: ${row.name}`, () => {
    it("keeps the same after a replay as live, at every fact", async () => {
      const { view, kept } = row.open();
      for (const [index, fact] of stored().entries()) {
        view.see(fact);
        const again = await replayed(row, stored(sampleLog.slice(0, index + 1)));
        expect(await kept(), `after fact ${index + 1}`).toEqual(again);
      }
    });

    it("keeps something of the facts", async () => {
      expect(await replayed(row, stored())).not.toEqual(await replayed(row, []));
    });

    it("leaves the facts as they are, which other views see as well", async () => {
      expect(await replayed(row, frozen(stored()))).toEqual(await replayed(row, stored()));
    });

    it("takes each fact without those before it", async () => {
      for (const fact of stored()) {
        await expect(replayed(row, [fact]), fact.update.sessionUpdate).resolves.not.toThrow();
      }
    });

    it.each([2, 3, 5])("takes a damaged log, in which each %i. fact is lost", async (step) => {
      const left = stored().filter(({ seq }) => seq % step !== 0);
      await expect(replayed(row, left)).resolves.not.toThrow();
    });
  });
}

export function updateViewContract(row: UpdateViewRow): void {
  factViewContract(row);
  it(`view of updates: ${row.name} keeps nothing of a delta that the fact after it does not say`, async () => {
    const { view, kept } = row.open();
    for (const fact of stored()) {
      const { agentId, turnId } = fact;
      for (const update of deltasBefore(fact))
        view.see({ sessionId: SESSION, agentId, ...(turnId && { turnId }), update });
      view.see(fact);
    }
    expect(await kept()).toEqual(await replayed(row, stored()));
  });
}
