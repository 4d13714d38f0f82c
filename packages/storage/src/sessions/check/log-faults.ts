import type { SessionFault } from "@harness/core";
import { errorCode, systemReason } from "@harness/host";
import { forEachLine } from "../jsonl/line-reader.ts";
import { decodeLine, isTornWrite, splitDamaged } from "../jsonl/log-line.ts";

const LEFT_OUT = "It is left out.";
const UNFINISHED =
  "The last line is incomplete: harness stopped while it was writing. Nothing you saw is lost; the line is removed when the session goes on.";

/** The lines of a log that cannot be read as they stand. Never throws. */
export function logFaults(path: string, { isMain }: { isMain: boolean }): SessionFault[] {
  const faults: SessionFault[] = [];
  let line = 0;
  try {
    forEachLine(path, 0, (bytes, _offset, ended) => {
      line += 1;
      const fault = decodeLine(bytes, { checked: true }).kind === "bad" ? faultOf(bytes, { ended }) : undefined;
      if (fault) faults.push({ path, line, ...fault });
    });
  } catch (error) {
    // A crash left the subagent's folder without a log.
    if (errorCode(error) === "ENOENT" && !isMain) return [];
    faults.push({ path, what: `The log cannot be read (${systemReason(error)}).` });
  }
  return faults;
}

function faultOf(bytes: Buffer, { ended }: { ended: boolean }): Pick<SessionFault, "what" | "isHarmless"> | undefined {
  const { whole, lost } = splitDamaged(bytes);
  if (!ended && whole.length === 0 && isTornWrite(bytes)) return { what: UNFINISHED, isHarmless: true };
  const unclear = whole.filter((piece) => decodeLine(piece, { checked: true }).kind === "bad").length;
  const bad = lost.length + unclear;
  if (whole.length === 0) return { what: `${reasonOf(bytes)} ${LEFT_OUT}` };
  if (bad === 0)
    return { what: "Several entries are in one line: a line end was lost. All of them are read.", isHarmless: true };
  return {
    what: `The line has ${whole.length - unclear} entries that are read, and a damaged part, which is left out.`,
  };
}

function reasonOf(bytes: Buffer): string {
  if (bytes.includes(0)) return "It contains zero bytes, as after a crash of the machine.";
  const text = bytes.toString("utf8");
  try {
    JSON.parse(text);
    return "Its checksum is wrong, or this version does not know such an entry.";
  } catch {
    return "It is not valid JSON.";
  }
}
