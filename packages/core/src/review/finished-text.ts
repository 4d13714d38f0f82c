import type { UpdateOf } from "@harness/protocol";
import { shownPath } from "../context/conversation/shown-path.ts";
import type { FinishedReview } from "./review-queue.ts";

type Notice = Omit<UpdateOf<"notice">, "sessionUpdate">;

const STILL_WAIT = "/pending opens what still waits.";

/** The notices after interrupted work on edits was finished: each file by its name. */
export function finishedNotices({ written, guarded, problem }: FinishedReview, cwd: string): Notice[] {
  const notices: Notice[] = [];
  if (written.length > 0) {
    const where = written.length === 1 ? "1 file" : `${written.length} files`;
    const title = `Wrote what you had taken when harness was cut off, in ${where}.`;
    notices.push({ severity: "info", title, description: namesOf(written, cwd) });
  }
  if (problem !== undefined) {
    const title = `Not everything that you had taken was written: ${problem}`;
    notices.push({ severity: "warning", title, description: STILL_WAIT });
  }
  if (guarded.length > 0) {
    const title = "Not everything that the log says you had taken was written.";
    const reasons = guarded.map(({ path, reason }) => `${shownPath(path, cwd)}: ${reason}`);
    const why = "A log alone does not let harness write these files, because it may come from elsewhere:";
    notices.push({ severity: "warning", title, description: [why, ...reasons, STILL_WAIT].join("\n") });
  }
  return notices;
}

/** `paths`: the changes of a log whose texts this session has not saved itself. */
export function foreignNotice(paths: readonly string[], cwd: string): Notice {
  return {
    severity: "warning",
    title: "Edits in the log of this session were left out, as their text is not the session's own.",
    description: namesOf(paths, cwd),
  };
}

function namesOf(paths: readonly string[], cwd: string): string {
  return paths.map((path) => shownPath(path, cwd)).join(", ");
}
