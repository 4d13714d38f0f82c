/** The missing part of a main log: all of the user's messages, or the end. */
export type LogLoss = "messages" | "end";

/** The damage found in a session's logs, as counts. */
export type Damage = {
  /** Pieces of the logs that could not be read. */
  pieces: number;
  /** Numbers below the last one that are missing in all logs. */
  missing: number;
  /** Facts omitted because their number belongs to another fact, or is far beyond all others. */
  misnumbered: number;
  /** The first line, which names the session's folder, is lost. */
  headerLost: boolean;
  /** Messages that `meta.json` counts but the main log lacks. */
  lost?: LogLoss;
  /** The parent session cannot be read, so the facts shared with it are missing. */
  parent?: string;
  /** Logs of subagents that cannot be read, each with the reason. */
  unreadable?: string[];
};

const lossText: Record<LogLoss, string> = {
  messages: "nothing of its main log is left, so its messages are lost",
  end: "the end of its main log is lost",
};

export const undamaged: Damage = { pieces: 0, missing: 0, misnumbered: 0, headerLost: false };

/** A sentence for people; undefined when there is no damage. */
export function damageText({
  pieces,
  missing,
  misnumbered,
  headerLost,
  lost,
  parent,
  unreadable = [],
}: Damage): string | undefined {
  const found = [
    pieces > 0 ? `${count(pieces, "damaged piece")} could not be read` : "",
    missing > 0 ? `${count(missing, "entry", "entries")} ${missing === 1 ? "is" : "are"} missing` : "",
    misnumbered > 0 ? `${count(misnumbered, "entry", "entries")} with a wrong number ${was(misnumbered)} left out` : "",
    headerLost ? "the first line, with date and folder, is lost" : "",
    lost ? lossText[lost] : "",
    parent === undefined ? "" : `what it shares with session ${parent}, from which it was forked, cannot be read`,
    unreadable.length > 0 ? `what a subagent did cannot be read from ${unreadable.join(", ")}` : "",
  ].filter((part) => part !== "");
  if (found.length === 0) return undefined;
  return `The log of this session is damaged: ${found.join(", ")}. The rest is intact, and the file was not changed.`;
}

const count = (n: number, one: string, many = `${one}s`): string => `${n} ${n === 1 ? one : many}`;
const was = (n: number): string => (n === 1 ? "was" : "were");
