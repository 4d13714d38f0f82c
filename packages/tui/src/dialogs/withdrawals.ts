import {
  type Permission,
  type PermissionOutcome,
  ROOT_AGENT,
  type SessionUpdate,
  type UpdateOf,
} from "@harness/protocol";
import type { Note } from "../state/app-state.ts";
import { type Dialog, titleOf } from "../state/dialogs.ts";
import { truncateText } from "../text/index.ts";

/** Of a long command its beginning is enough to know it again. */
const MAX_TITLE = 60;
/** A change of mode withdraws at once what it decides; what stays open longer is withdrawn for something else. */
const MODE_MS = 1_000;
/** Withdrawals whose reason has not come yet. */
const MAX_OPEN = 50;

type Gone = { readonly sessionId: string; readonly permission: Permission };
type Say = (severity: Note["severity"], text: string) => void;

/**
 * Why a permission that was in view is gone: the server withdraws it, and the session's facts say who answered, or what
 * changed. Either may come first.
 */
export class Withdrawals {
  readonly say: Say;
  /** Gone, and nobody knows why yet. */
  readonly #unexplained = new Map<string, Gone>();
  /** The mode that a session changed to while these were open. */
  readonly #modes = new Map<string, { mode: string; at: string | undefined }>();

  constructor(say: Say) {
    this.say = say;
  }

  /** The server wants no answer any more. */
  withdrawn(sessionId: string, permission: Permission): void {
    this.#unexplained.set(permission.permissionId, { sessionId, permission });
    // A reason that never comes (a cut connection) is not waited for.
    for (const id of this.#unexplained.keys()) {
      if (this.#unexplained.size <= MAX_OPEN) break;
      this.#unexplained.delete(id);
    }
  }

  /** The id of a dialog that this fact settles; undefined: none. */
  hear({ sessionId, agentId, at, update }: SessionUpdate, dialogs: readonly Dialog[]): string | undefined {
    if (update.sessionUpdate === "config_option_update" && agentId === ROOT_AGENT) {
      const { permissionMode, mode } = update.config;
      this.#modeChanged(sessionId, { mode: permissionMode ?? mode, at }, dialogs);
    }
    if (update.sessionUpdate !== "permission_resolved") return undefined;
    const { permissionId } = update;
    const gone = this.#unexplained.get(permissionId);
    const dialog = dialogs.find(({ id }) => id === permissionId);
    const permission = gone?.permission ?? (dialog?.kind === "permission" ? dialog.permission : undefined);
    const change = this.#modes.get(permissionId);
    const mode = change && isSoonAfter(at, change.at) ? change.mode : undefined;
    this.#unexplained.delete(permissionId);
    this.#modes.delete(permissionId);
    // It was answered here, or never shown.
    if (!permission) return undefined;
    this.#explain(permission, update, mode);
    return gone ? undefined : permissionId;
  }

  #modeChanged(
    sessionId: string,
    { mode, at }: { mode: string | undefined; at: string | undefined },
    dialogs: readonly Dialog[],
  ): void {
    if (mode === undefined) return;
    const change = { mode, at };
    for (const dialog of dialogs) if (dialog.sessionId === sessionId) this.#modes.set(dialog.id, change);
    for (const [id, gone] of this.#unexplained) if (gone.sessionId === sessionId) this.#modes.set(id, change);
  }

  /** The server is another one. */
  forget(): void {
    this.#unexplained.clear();
    this.#modes.clear();
  }

  #explain(permission: Permission, { outcome, by }: UpdateOf<"permission_resolved">, mode: string | undefined): void {
    const what = truncateText(titleOf(permission).replace(/\s+/g, " "), MAX_TITLE);
    if (outcome.outcome === "selected") {
      this.say("info", `Answered by ${by}: ${answerName(permission, outcome)}. It was about: ${what}`);
    } else if (mode !== undefined) {
      // A turn that was stopped tells of itself.
      this.say("info", `The mode is ${mode} now. The open question is withdrawn and judged anew: ${what}`);
    }
  }
}

function isSoonAfter(at: string | undefined, before: string | undefined): boolean {
  return at === undefined || before === undefined || Date.parse(at) - Date.parse(before) <= MODE_MS;
}

function answerName({ options }: Permission, outcome: Extract<PermissionOutcome, { outcome: "selected" }>): string {
  const name = options.find(({ optionId }) => optionId === outcome.optionId)?.name ?? outcome.optionId;
  return outcome.feedback ? `${name}, with words for the model` : name;
}
