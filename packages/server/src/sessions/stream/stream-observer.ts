import type { SessionLog } from "@harness/core";
import type { SessionUpdate } from "@harness/protocol";
import type { LiveEntry } from "../live-entry.ts";
import type { SessionObserver } from "../session-observer.ts";
import { StreamFile } from "./stream-file.ts";
import { StreamLineReader } from "./stream-lines.ts";

type StreamTarget = Pick<StreamFile, "begin" | "write" | "end" | "settled">;
type OpenStream = (folder: string, onProblem: (problem: string) => void) => StreamTarget;

/** A session whose turns may be streamed. */
type StreamedSession = {
  lines: StreamLineReader;
  file: StreamTarget;
  /** The setting that applies to the next turn. */
  isWanted(): boolean;
  isOn: boolean;
};

/** Writes the course of a turn to `.stream` beside the session's log, for other programs to follow. */
export class StreamObserver implements SessionObserver {
  readonly #sessions = new Map<string, StreamedSession>();
  readonly #open: OpenStream;

  constructor(open: OpenStream = openStreamFile) {
    this.#open = open;
  }

  onOpened({ session, log, workspace }: Pick<LiveEntry, "log" | "workspace" | "session">): void {
    const folder = log.location?.folder;
    if (folder === undefined) return;
    const hasWarned = new Set<string>();
    this.#sessions.set(log.header.sessionId, {
      lines: new StreamLineReader((seq) => numberIn(log, seq)),
      file: this.#open(folder, (problem) => {
        if (!hasWarned.has(problem)) session.warn("Programs cannot follow this session.", problem);
        hasWarned.add(problem);
      }),
      isWanted: () => workspace.settings.values.session_stream,
      isOn: false,
    });
  }

  see(update: SessionUpdate): void {
    const streamed = this.#sessions.get(update.sessionId);
    if (!streamed) return;
    const { begins, lines, ends } = streamed.lines.see(update);
    if (begins) {
      streamed.isOn = streamed.isWanted();
      if (streamed.isOn) streamed.file.begin();
    }
    if (streamed.isOn) streamed.file.write(lines);
    if (streamed.isOn && ends) streamed.file.end();
  }

  seeDelta(update: SessionUpdate): void {
    this.see(update);
  }

  async onClosed(sessionId: string): Promise<void> {
    const streamed = this.#sessions.get(sessionId);
    this.#sessions.delete(sessionId);
    await streamed?.file.settled();
  }
}

function openStreamFile(folder: string, onProblem: (problem: string) => void): StreamTarget {
  return new StreamFile(folder, onProblem);
}

/** The number of the message's file, or of the fact if messages have no files. */
function numberIn(log: SessionLog, seq: number): string | undefined {
  return log.messageNumber ? log.messageNumber(seq) : String(seq).padStart(4, "0");
}
