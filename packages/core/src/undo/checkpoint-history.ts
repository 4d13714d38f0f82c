import type { Approval, Clock, ToolCategory } from "@harness/gate";
import { type Fact, ROOT_AGENT, type StoredFact, type TurnChanges, type UpdateOf } from "@harness/protocol";
import type { Journal } from "../journal/journal.ts";
import type { Checkpoints, CheckpointTaken } from "../ports/checkpoints.ts";
import { LogWriteError } from "../ports/session-log.ts";
import type { SessionPorts } from "../ports/session-ports.ts";
import { type FileImpact, fileImpact } from "./file-impact.ts";
import { pathInFolder, pathOfName } from "./folder-path.ts";

/** How long a call waits for its checkpoint at most. */
const MAX_WAIT_MS = 10_000;
/** The same for the first one of a folder, which takes long if there are many files. */
const MAX_FIRST_WAIT_MS = 2_000;
/** After this many failures in a row checkpoints are no longer tried. */
const MAX_FAILURES = 2;

type CheckpointPorts = Pick<SessionPorts, "files" | "gate" | "log" | "runtime">;
type CheckpointResult = CheckpointTaken | { problem: string };
/** A turn whose files are stored. `record` throws `LogWriteError`. */
type KeptTurn = { readonly turnId: string; record(update: Fact): StoredFact };

/**
 * Stores the files before and after a turn changes them: once for each turn of the root agent and its subagents, and
 * again before a command that destroys work. A turn that changes nothing is not delayed.
 */
export class CheckpointHistory {
  readonly #ports: CheckpointPorts;
  readonly #journal: Journal;
  /** The first checkpoint of the running turn, or of the last one. */
  #current: { turnId: string; taken: Promise<string | undefined> } | undefined;
  /** The last checkpoint of the turn. */
  #lastId: string | undefined;
  /** Resolves when the checkpoint for a turn that a crash interrupted is stored. */
  #closing: Promise<void> = Promise.resolve();
  /**
   * Files are being stored while calls that could not wait run on: the result is not the state before them, but the
   * next checkpoint will be quick.
   */
  #isStoring = false;
  readonly #over = new AbortController();
  #lastProblem: string | undefined;
  #failures = 0;

  constructor(ports: CheckpointPorts, journal: Journal) {
    this.#ports = ports;
    this.#journal = journal;
  }

  /**
   * Called right before a call runs. `root`: the turn of the root agent. Throws `LogWriteError`; if files cannot be
   * stored, the user is notified once.
   */
  async beforeCall(root: KeptTurn | undefined, category: ToolCategory, approval: Approval): Promise<void> {
    await this.#before(root, fileImpact(category, approval), writtenPaths(approval));
  }

  /** The same before writing files that the user has accepted. */
  async beforeWrite(root: KeptTurn | undefined, paths: readonly string[]): Promise<void> {
    await this.#before(root, "changes", paths);
  }

  async #before(root: KeptTurn | undefined, effects: FileImpact, paths: readonly string[]): Promise<void> {
    const checkpoints = this.#inUse();
    if (effects === "none" || !checkpoints || !root) return;
    const isFirst = this.#current?.turnId !== root.turnId;
    if (isFirst) this.#current = { turnId: root.turnId, taken: this.#keep(checkpoints, root, "turn") };
    const taken = await this.#current?.taken;
    if (!isFirst && effects === "destroys") await this.#keep(checkpoints, root, "command");
    if (taken !== undefined) await this.#keepUnsaved(checkpoints, root, paths);
  }

  /** Stores texts that the person has only in an editor, beside what is on disk: a revert brings them back. */
  async #keepUnsaved(checkpoints: Checkpoints, turn: KeptTurn, paths: readonly string[]): Promise<void> {
    const { buffers } = this.#ports.files;
    if (!buffers?.isOffered || paths.length === 0) return;
    const unsaved = await buffers.find(paths);
    if (unsaved.size === 0) return;
    const taken = await takeInTime(checkpoints, this.#ports.runtime.clock, unsaved);
    if ("problem" in taken) {
      this.#notify(turn.turnId, taken.problem);
      return;
    }
    const { checkpointId } = taken;
    const shown = [...unsaved.keys()].map((path) => pathInFolder(path, this.#ports.log.header.cwd));
    turn.record({ sessionUpdate: "checkpoint", checkpointId, reason: "unsaved", paths: shown });
  }

  /** Called when a turn of the root agent and its subagents have ended. Throws `LogWriteError`. */
  async afterTurn({ turnId }: Pick<KeptTurn, "turnId">): Promise<void> {
    const { checkpoints } = this.#ports.files;
    const current = this.#current;
    if (current?.turnId !== turnId || !checkpoints) return;
    const before = await current.taken;
    if (before === undefined || this.#journal.halted !== undefined) return;
    await this.#close(checkpoints, turnId, before);
  }

  /** True if a crash has interrupted a turn that changed files: what is written now is part of it. */
  get isInterrupted(): boolean {
    return this.#interrupted !== undefined && this.#ports.files.checkpoints !== undefined;
  }

  get #interrupted() {
    return this.#journal.state.undo.turns.findLast(({ after, reverted }) => after === undefined && !reverted);
  }

  /** Records the changes of a turn that a crash interrupted, as far as the files still show them. Never rejects. */
  closeInterrupted(): Promise<void> {
    const { files, runtime } = this.#ports;
    const { checkpoints } = files;
    const broken = this.#interrupted;
    if (!broken || !checkpoints) return this.#closing;
    this.#closing = this.#close(checkpoints, broken.turnId, broken.before).catch((error: unknown) => {
      if (!(error instanceof LogWriteError)) runtime.report(error, "checkpoints.closeInterrupted");
    });
    return this.#closing;
  }

  /** Stores the files before and after they are reverted, or returns why it cannot. Throws `LogWriteError`. */
  async takeNow(): Promise<CheckpointResult> {
    const { files, runtime } = this.#ports;
    const { checkpoints } = files;
    if (!checkpoints) return { problem: "Nothing can be undone here: there is no place for checkpoints." };
    await this.#closing;
    if (this.#isStoring)
      return { problem: "This folder's files are being stored for the first time. Try again when that is done." };
    return takeInTime(checkpoints, runtime.clock);
  }

  /** Changes files (`paths`: the known ones) so that it can be undone like a turn; no turn may be running. Throws `LogWriteError`. */
  async around<T>(turnId: string, change: () => Promise<T>, paths: readonly string[] = []): Promise<T> {
    const { checkpoints } = this.#ports.files;
    const before = this.#inUse() ? await this.takeNow() : undefined;
    if (!checkpoints || !before || "problem" in before) return await change();
    this.#journal.append({
      agentId: ROOT_AGENT,
      turnId,
      update: { sessionUpdate: "checkpoint", ...before, reason: "turn" },
    });
    const record = (update: Fact) => this.#journal.append({ agentId: ROOT_AGENT, turnId, update });
    await this.#keepUnsaved(checkpoints, { turnId, record }, paths);
    try {
      return await change();
    } finally {
      if (this.#journal.halted === undefined) await this.#close(checkpoints, turnId, before.checkpointId);
    }
  }

  /** Stops storing in the background; the next session continues it. */
  close(): void {
    this.#over.abort();
  }

  #inUse(): Checkpoints | undefined {
    if (this.#failures >= MAX_FAILURES || !this.#ports.gate.gateSettings().checkpoints) return undefined;
    return this.#ports.files.checkpoints;
  }

  async #keep(checkpoints: Checkpoints, turn: KeptTurn, reason: "turn" | "command"): Promise<string | undefined> {
    await this.#closing;
    if (this.#isStoring) return undefined;
    const taken = await this.#takeOrGoOn(checkpoints, turn.turnId);
    if (!taken) return undefined;
    if ("problem" in taken) {
      this.#failures += 1;
      this.#notify(turn.turnId, taken.problem);
      return undefined;
    }
    this.#failures = 0;
    const { checkpointId } = taken;
    // Nothing has changed since the last checkpoint, so it serves for this command too.
    if (reason === "command" && checkpointId === this.#lastId) return checkpointId;
    this.#lastId = checkpointId;
    turn.record({ sessionUpdate: "checkpoint", ...taken, reason });
    return checkpointId;
  }

  /** Undefined if it takes too long for a call to wait; it then continues in the background. */
  async #takeOrGoOn(checkpoints: Checkpoints, turnId: string): Promise<CheckpointResult | undefined> {
    const waitMs = checkpoints.hasAny() ? MAX_WAIT_MS : MAX_FIRST_WAIT_MS;
    const done = new AbortController();
    const taking = checkpoints.take(this.#over.signal);
    const tooLate = this.#ports.runtime.clock.sleep(waitMs, done.signal).then(() => undefined);
    const taken = await Promise.race([taking, tooLate]);
    done.abort();
    if (taken || this.#over.signal.aborted) return taken;
    this.#isStoring = true;
    this.#notify(
      turnId,
      `Storing this folder's files takes longer than ${waitMs / 1000} seconds. It continues in the background; turns that start after it is done can be undone.`,
    );
    void taking.then((stored) => this.#stored(stored));
    return undefined;
  }

  #stored(taken: CheckpointResult): void {
    this.#isStoring = false;
    if (this.#over.signal.aborted) return;
    const isStored = !("problem" in taken);
    if (!isStored) this.#failures += 1;
    const update = isStored
      ? ({
          severity: "info",
          title: "This folder's files are stored: changes can be undone from the next turn on.",
        } as const)
      : ({
          severity: "warning",
          title: "This folder's files could not be stored.",
          description: taken.problem,
        } as const);
    this.#journal.record({ agentId: ROOT_AGENT, update: { sessionUpdate: "notice", ...update } });
  }

  async #close(checkpoints: Checkpoints, turnId: string, before: string): Promise<void> {
    const taken = await takeInTime(checkpoints, this.#ports.runtime.clock);
    if ("problem" in taken) {
      this.#notify(turnId, taken.problem);
      return;
    }
    const { checkpointId: after } = taken;
    const unsaved = this.#journal.state.undo.turns.findLast((each) => each.turnId === turnId)?.unsaved;
    const append = (update: UpdateOf<"checkpoint"> | UpdateOf<"turn_changes">) =>
      this.#journal.append({ agentId: ROOT_AGENT, turnId, update });
    append({ sessionUpdate: "checkpoint", ...taken, reason: "turn" });
    const since = after === before ? await this.#changedUnsaved(checkpoints, unsaved) : before;
    if (since === undefined) return;
    const changes = await checkpoints.compare(since, after);
    if ("problem" in changes) this.#notify(turnId, changes.problem);
    else append({ sessionUpdate: "turn_changes", before: since, after, ...changes });
  }

  /** The disk is as it was before a turn: the state with unsaved text, if that text is no longer in the editor. */
  async #changedUnsaved(checkpoints: Checkpoints, unsaved: TurnChanges["unsaved"]): Promise<string | undefined> {
    const { buffers } = this.#ports.files;
    const last = unsaved?.at(-1);
    if (!buffers || !last) return undefined;
    const paths = last.paths.map((path) => pathOfName(path, this.#ports.log.header.cwd));
    const now = await takeInTime(checkpoints, this.#ports.runtime.clock, await buffers.find(paths));
    return "problem" in now || now.checkpointId === last.checkpointId ? undefined : last.checkpointId;
  }

  /** Notifies the user once for each problem, not for each call. */
  #notify(turnId: string, problem: string): void {
    const isLast = this.#failures >= MAX_FAILURES;
    const description = isLast ? `${problem} harness does not try again in this session.` : problem;
    if (this.#lastProblem === description) return;
    this.#lastProblem = description;
    const title = "Not all changes of this turn can be undone.";
    const update = { sessionUpdate: "notice" as const, severity: "warning" as const, title, description };
    this.#journal.append({ agentId: ROOT_AGENT, turnId, update });
  }
}

/** The real paths of the files that a call is known to write. */
function writtenPaths({ resolved }: Approval): string[] {
  return resolved.flatMap(({ effect, realPath }) =>
    effect.kind === "write" && realPath !== undefined ? [realPath] : [],
  );
}

async function takeInTime(
  checkpoints: Checkpoints,
  clock: Clock,
  unsaved?: ReadonlyMap<string, Uint8Array>,
): Promise<CheckpointResult> {
  const late = new AbortController();
  const done = new AbortController();
  const tooLate = clock.sleep(MAX_WAIT_MS, done.signal).then((): CheckpointResult => {
    late.abort();
    const problem = `Storing the files takes longer than ${MAX_WAIT_MS / 1000} seconds. What was stored so far stays, and the next time is quicker.`;
    return { problem };
  });
  const taken = await Promise.race([checkpoints.take(late.signal, unsaved), tooLate]);
  done.abort();
  return taken;
}
