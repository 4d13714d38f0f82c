import { PrivateLog, type ProgramResult } from "@harness/host";
import type { SourceEntry } from "../../sources/source.ts";

const MAX_FILE_BYTES = 5 * 1024 * 1024;
/** Limits what one run writes besides its answer. */
const MAX_KEPT_CHARS = 1024 * 1024;

/** The output of a run while it arrives. */
type HookRunOutput = {
  take(text: string, from: "stdout" | "stderr"): void;
  end(result: ProgramResult): void;
};

/**
 * The file of a session for complaints of its hooks, and for their output beyond the limit: for people, and never for a
 * model. It is created when there is something to write.
 */
export class HookLog {
  readonly #file: PrivateLog | undefined;
  readonly #hide: (text: string) => string;
  #hasComplaints = false;

  /** `path`: undefined if nothing is logged. `hide` redacts what nobody should read there. */
  constructor(path: string | undefined, hide: (text: string) => string) {
    this.#file = path === undefined ? undefined : new PrivateLog(path, { maxBytes: MAX_FILE_BYTES, kept: 1 });
    this.#hide = hide;
  }

  get path(): string | undefined {
    return this.#file?.path;
  }

  /** True if this process has written anything to it. */
  get hasComplaints(): boolean {
    return this.#hasComplaints;
  }

  /** `onFlood` is called if a run writes much more than its answer may have. */
  begin(
    { stage, name }: Pick<SourceEntry, "stage" | "name">,
    maxAnswerBytes: number,
    onFlood: () => void,
  ): HookRunOutput {
    const kept: string[] = [];
    let answerBytes = 0;
    let chars = 0;
    return {
      take: (text, from) => {
        if (from === "stdout") {
          answerBytes += Buffer.byteLength(text);
          if (answerBytes <= maxAnswerBytes) return;
        }
        if (chars > MAX_KEPT_CHARS) return onFlood();
        chars += text.length;
        kept.push(text);
      },
      end: ({ timedOut, leftBehind }) => {
        if (timedOut) kept.push("\n[killed: it took too long]");
        if (leftBehind) kept.push("\n[killed: processes that it left behind with its output open]");
        if (kept.length > 0) this.#write(`${stage}/${name}`, kept.join(""));
      },
    };
  }

  #write(hook: string, text: string): void {
    try {
      const lines = this.#hide(text.trim().toWellFormed()).replaceAll("\n", "\n    ");
      this.#hasComplaints = true;
      this.#file?.append(`${new Date().toISOString()} ${hook}: ${lines}`);
    } catch {
      // A failure to write the log must not stop the hook's work.
    }
  }
}
