import type { SessionLog } from "../ports/session-log.ts";

type ReplayedLog = Pick<SessionLog, "header" | "savedTexts" | "read" | "digest">;

/** The log of a stored session that is replayed: it can only be read. */
export function replayLog({ header, savedTexts, digest, ...pages }: ReplayedLog): SessionLog {
  const refuse = () => {
    throw new Error("A replayed session is not written to.");
  };
  return {
    ...{ header, savedTexts, digest },
    read: (range) => pages.read(range),
    // Answers count as the person's: nothing is run because of them.
    isBegunHere: true,
    location: undefined,
    append: refuse,
    addAgent: () => undefined,
    outsideChanges: () => [],
    isOwnText: () => false,
    newBlob: refuse,
    saveText: refuse,
    close: () => undefined,
  };
}
