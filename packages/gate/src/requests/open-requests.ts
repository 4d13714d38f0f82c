import type { Permission, PermissionEnd, PermissionOutcome } from "@harness/protocol";
import { cancellable } from "../concurrency/cancellable.ts";
import { Slots } from "../concurrency/slots.ts";
import type { Requester } from "../gate-call.ts";
import type { Asker } from "../ports/asker.ts";

/** More would be too many for the user; the others wait until one is closed. */
const MAX_OPEN = 16;

/** The position of a call in the queue of its turn. */
export type QueuePosition = {
  /**
   * Resolves when all earlier calls of the turn have been asked about or need no question, and another question may be
   * open. Returns a function that ends it; undefined if the signal aborts first.
   */
  turn(signal: AbortSignal): Promise<(() => void) | undefined>;
  /** Lets later calls proceed. May be called repeatedly. */
  leave(): void;
};

/** `isStale`: the request would no longer be made like this. */
/** Why an open question is withdrawn and its call judged again. */
export type Change = Exclude<PermissionEnd, "answered" | "cancelled" | "interrupted">;

type QuestionEnd = { outcome: PermissionOutcome; by: string; isStale: boolean };

/** The conditions under which a request stays open; neither may throw. */
type Grounds = {
  /** True if the same request would be made now. */
  isStill(): boolean;
  /** True if its preview still matches the files. */
  isShownStill(): Promise<boolean>;
};

/** The open permission requests of a session, in parallel; requests of one turn keep the order of its calls. */
export class OpenRequests {
  readonly #slots = new Slots(MAX_OPEN);
  /** The end of each turn's queue. */
  readonly #lines = new Map<string, Promise<unknown>>();
  readonly #open = new Set<{ look(change: Change): void; lookAtFiles(): void }>();
  readonly #asker: Pick<Asker, "askPermission">;

  constructor(asker: Pick<Asker, "askPermission">) {
    this.#asker = asker;
  }

  /** The caller must call `leave` eventually, whatever happens. */
  enter(turnId: string): QueuePosition {
    const before = this.#lines.get(turnId) ?? Promise.resolve();
    let leave = (): void => undefined;
    const left = new Promise<void>((resolve) => {
      leave = resolve;
    });
    const line = Promise.all([before, left]).then(() => {
      if (this.#lines.get(turnId) === line) this.#lines.delete(turnId);
    });
    this.#lines.set(turnId, line);
    return {
      leave,
      turn: async (signal) => {
        await cancellable(before, signal, () => undefined);
        return await this.#slots.take(signal);
      },
    };
  }

  /** Asks people until one answers, the call is cancelled, or the conditions of the request no longer hold. */
  async put(
    permission: Permission,
    requester: Requester,
    position: QueuePosition,
    grounds: Grounds,
  ): Promise<QuestionEnd> {
    const { permissionId, toolCallId } = permission;
    const stale = new AbortController();
    let change: Change | undefined;
    const withdraw = (why: Change) => {
      change ??= why;
      stale.abort();
    };
    const entry = {
      look: (why: Change) => {
        if (!grounds.isStill()) withdraw(why);
      },
      lookAtFiles: () =>
        void grounds.isShownStill().then((isStill) => {
          if (!isStill) withdraw("files_changed");
        }),
    };
    const signal = AbortSignal.any([requester.signal, stale.signal]);
    const withdrawn = () => ({ outcome: { outcome: "cancelled" as const }, by: "harness" });
    requester.record({ sessionUpdate: "permission_requested", permission });
    return await requester.whileAsking(async () => {
      this.#open.add(entry);
      const pending = this.#asker.askPermission(permission, signal);
      position.leave();
      const answer = await cancellable(pending, signal, withdrawn);
      this.#open.delete(entry);
      // Later changes do not affect this answer.
      const isStale = stale.signal.aborted;
      const isWithdrawn = signal.aborted && answer.outcome.outcome === "cancelled";
      const reason = isWithdrawn ? (change ?? "cancelled") : "answered";
      requester.record({ sessionUpdate: "permission_resolved", permissionId, toolCallId, ...answer, reason });
      return { ...answer, isStale };
    });
  }

  /** Rules, grants, modes or settings may have changed. */
  reevaluate(change: Change): void {
    for (const { look } of [...this.#open]) look(change);
  }

  /** Files may have changed: questions that show their content are asked again. */
  lookAtFiles(): void {
    for (const { lookAtFiles } of [...this.#open]) lookAtFiles();
  }
}
