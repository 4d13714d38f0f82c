import { statSync } from "node:fs";
import { join } from "node:path";
import type { Clock } from "@harness/gate";
import { diskProblem, heldProblem, waitForLock } from "@harness/host";
import { CapabilityCard } from "@harness/protocol";
import type { Places } from "../places.ts";
import { type CardFile, keyOf, readCardFile, writeCardFile } from "./card-file.ts";

/** `problems`, in words: it was saved, and yet something is to be told. */
type SavedCard = { problems: string[] };

/**
 * What `harness doctor` found out of models, in `cards.json`. Cards are found by provider, model and address. Nothing
 * here throws. What is there and cannot be read is never lost: it stays where it is, or is set aside.
 */
export type CapabilityCards = {
  /** Costs a look at the file while it has not changed. */
  read(provider: string, model: string, address: string): CapabilityCard | undefined;
  /** In place of an older one of the same model there. */
  save(card: CapabilityCard): Promise<SavedCard | { problem: string }>;
  /** The newest first. */
  list(): { cards: CapabilityCard[]; problems: string[] };
};

const LOCK_WAIT_MS = 5_000;

/** Reads and makes nothing yet. */
export function openCards({ root }: Pick<Places, "root">, { clock }: { clock: Clock }): CapabilityCards {
  const path = join(root, "cards.json");
  const lockPath = `${path}.lock`;
  let known: { mark: string; file: CardFile } | undefined;
  const current = () => {
    const mark = markOf(path);
    if (known?.mark !== mark) known = { mark, file: readCardFile(path) };
    return known.file;
  };
  return {
    read: (provider, model, address) => current().cards.get(keyOf({ provider, model, address })),
    list() {
      const { cards, problems } = current();
      const newestFirst = [...cards.values()].sort((a, b) => b.testedAt.localeCompare(a.testedAt));
      return { cards: newestFirst, problems: [...problems] };
    },
    async save(card) {
      const whole = CapabilityCard.safeParse(card);
      if (!whole.success) return { problem: `The card of ${card.model} is not complete: nothing was saved.` };
      try {
        const lock = await waitForLock(lockPath, LOCK_WAIT_MS, clock);
        if (!("release" in lock)) return { problem: heldProblem("The cards are", lockPath, lock) };
        try {
          return change(path, whole.data);
        } finally {
          lock.release();
        }
      } catch (error) {
        return { problem: diskProblem(error, "save what was found out of the model", path) };
      } finally {
        known = undefined;
      }
    },
  };
}

/** Runs under the lock, on the file as it is now: cards of another process survive. */
function change(path: string, card: CapabilityCard): SavedCard | { problem: string } {
  const file = readCardFile(path);
  if (file.untouchable) return { problem: `${file.problems.join(" ")} The new card was not saved.` };
  const setAside = writeCardFile(file, card);
  if (setAside === undefined) return { problems: [] };
  return { problems: [`${path} could not be read. It is now ${setAside}, and a new one is in its place.`] };
}

/** Another one whenever the file is another one: each save makes a new inode. */
function markOf(path: string): string {
  try {
    const { ino, size, mtimeMs } = statSync(path);
    return `${ino} ${size} ${mtimeMs}`;
  } catch {
    // Absent or out of reach: reading it says which.
    return "";
  }
}
