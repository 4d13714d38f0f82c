import { decideHunk, isDecided, NO_PROGRESS, type ReviewProgress, reviewOutcome } from "@harness/client/actions";
import type { HunkAnswer, Permission, PermissionOutcome, ReviewHunk } from "@harness/protocol";
import { amount, visibleText } from "@harness/protocol";
import { visibleCode } from "../../text/visible-code.ts";
import type { Lines } from "../lines.ts";

const ANSWER = "review> ";
const ANSWERS = [
  "  y  Take this change",
  "  n WORDS  Reject it; the agent reads your words, if there are some",
  "  e  Edit the new lines in your editor, and take them",
  "  a  Take this change and all that are open, and write",
  "  x  Reject this change and all that are open, and write what was taken",
  "  NUMBER  Go to another change",
  "  stop  Leave the changes for later, and stop the turn",
].join("\n");
const HINT = "Answer with y, n, e, a, x, a number or stop; ? explains them. Nothing has been decided.";

type AnsweredStep = { outcome: PermissionOutcome; stops: boolean };

/** Leads the user through the changes of a review, one question after another. */
export class ReviewWalk {
  readonly #lines: Lines;
  readonly #permission: Permission;
  readonly #hunks: readonly ReviewHunk[];
  readonly #signal: AbortSignal;
  readonly #cwd: string;
  #progress: ReviewProgress = NO_PROGRESS;

  /** `cwd`: paths within it are shown relative to it. */
  constructor(lines: Lines, permission: Permission, { signal, cwd }: { signal: AbortSignal; cwd: string }) {
    this.#lines = lines;
    this.#cwd = cwd;
    this.#permission = permission;
    this.#hunks = permission.review ?? [];
    this.#signal = signal;
  }

  /** Undefined if it was withdrawn. */
  async outcome(): Promise<AnsweredStep | undefined> {
    const files = new Set(this.#hunks.map(({ path }) => path)).size;
    this.#lines.print(
      `Review of ${amount(this.#hunks.length, "change")} in ${amount(files, "file")}; none is written yet.\n${ANSWERS}`,
    );
    this.#show();
    for (;;) {
      const line = await this.#lines.line(ANSWER, { signal: this.#signal });
      if (this.#signal.aborted) return undefined;
      // At the end of the input nobody can accept anything.
      if (line === undefined) return this.#end("reject_once", NO_PROGRESS);
      const answered = await this.#take(line.trim());
      if (this.#signal.aborted) return undefined;
      if (answered) return answered;
    }
  }

  /** Undefined as long as there is more to decide. */
  async #take(line: string): Promise<AnsweredStep | undefined> {
    const [, word = "", words = ""] = /^(\S+)\s*(.*)$/s.exec(line) ?? [];
    const key = word.toLowerCase();
    if (key === "n" || key === "w") return this.#decide({ take: false, ...(words === "" ? {} : { feedback: words }) });
    if (words !== "") return this.#say(HINT);
    if (key === "stop") return { outcome: { outcome: "cancelled" }, stops: true };
    if (key === "a") return this.#end("allow_once");
    if (key === "x") return this.#end("reject_once");
    if (key === "y")
      return isDecided(this.#permission, this.#progress) ? this.#end("reject_once") : this.#decide({ take: true });
    if (key === "e") return await this.#edit();
    if (key === "?") return this.#say(ANSWERS);
    const at = /^\d+$/.test(key) ? Number(key) - 1 : -1;
    if (at < 0 || at >= this.#hunks.length) return this.#say(HINT);
    this.#progress = { ...this.#progress, at };
    // Going back means deciding it again.
    const answers = new Map(this.#progress.answers);
    answers.delete(this.#hunks[at]?.hunkId ?? "");
    this.#progress = { at, answers };
    return this.#show();
  }

  #decide(answer: Omit<HunkAnswer, "hunkId">): undefined {
    this.#progress = decideHunk(this.#progress, this.#hunks, answer);
    if (!isDecided(this.#permission, this.#progress)) return this.#show();
    const taken = [...this.#progress.answers.values()].filter(({ take }) => take).length;
    this.#say(
      `All are decided: ${taken} taken, ${this.#hunks.length - taken} rejected. y writes what was taken, a number goes back to a change, stop leaves all for later.`,
    );
  }

  async #edit(): Promise<undefined> {
    const hunk = this.#hunks[this.#progress.at];
    if (!hunk) return;
    const edited = await this.#lines.edit(hunk.after.replace(/\n$/, ""));
    if ("problem" in edited) return this.#say(edited.problem);
    const end = hunk.after.endsWith("\n") && edited.text !== "" ? "\n" : "";
    this.#decide({ take: true, text: edited.text + end });
  }

  #end(rest: "allow_once" | "reject_once", progress = this.#progress): AnsweredStep {
    return { outcome: reviewOutcome(this.#permission, progress, rest), stops: false };
  }

  #show(): undefined {
    const { at } = this.#progress;
    const hunk = this.#hunks[at];
    if (!hunk) return;
    const { path, change, line, before, after } = hunk;
    const what = { create: "new file", delete: "deleted", modify: `line ${line}` }[change];
    this.#lines.print(
      [
        `Change ${at + 1} of ${this.#hunks.length}: ${visibleText(this.#shortened(path))}, ${what}`,
        ...markedLines("-", before),
        ...markedLines("+", after),
      ].join("\n"),
    );
  }

  #shortened(path: string): string {
    return path.startsWith(`${this.#cwd}/`) ? path.slice(this.#cwd.length + 1) : path;
  }

  #say(text: string): undefined {
    this.#lines.print(text);
  }
}

/** The lines of a text after a sign; indentation stays, everything else invisible is shown. */
function markedLines(sign: "-" | "+", text: string): string[] {
  if (text === "") return [];
  return text
    .replace(/\n$/, "")
    .split("\n")
    .map((line) => `  ${sign} ${visibleCode(line.replace(/\r$/, ""))}`);
}
