import type { CallParams, ClientMethods, Permission, PermissionOption, PermissionOutcome } from "@harness/protocol";
import { TextBuffer } from "../input/index.ts";
import { WrappedOnce } from "../text/wrapped-once.ts";

export type Question = CallParams<ClientMethods, "elicitation/create">;

/**
 * A request of the server to the person. `scroll`: the first row in view of what can be scrolled. `armed`: it has been in
 * view long enough for a key to be meant for it.
 */
type Shown = { readonly id: string; readonly sessionId: string; readonly scroll: number; readonly armed: boolean };
export type PermissionDialog = Shown & {
  readonly kind: "permission";
  readonly permission: Permission;
  /** What it is decided by, as rows. */
  readonly body: WrappedOnce;
  /** The reason for a denial, while it is typed. */
  readonly feedback?: TextBuffer | undefined;
  /** When its end came into view by scrolling, on the window's clock. */
  readonly endSeenAtMs?: number | undefined;
  /** An allowing answer came before that. */
  readonly tooEarly?: boolean;
};
export type QuestionDialog = Shown & {
  readonly kind: "question";
  readonly question: Question;
  /** The answer being typed. */
  readonly typed: TextBuffer;
};
export type Dialog = PermissionDialog | QuestionDialog;

/** The agent that asks. */
export function agentOf(dialog: Dialog): string {
  return dialog.kind === "permission" ? dialog.permission.agentId : dialog.question.agentId;
}

/** The subject of a dialog in one line; untrusted text. */
export function subjectOf(dialog: Dialog): string {
  return dialog.kind === "permission" ? titleOf(dialog.permission) : dialog.question.message;
}

/** The tool and what it would do. */
export function titleOf({ title, tool }: Permission): string {
  return title.startsWith(tool) ? title : `${tool} ${title}`;
}

export function permissionDialog(sessionId: string, permission: Permission): PermissionDialog {
  const body = new WrappedOnce();
  return { kind: "permission", id: permission.permissionId, sessionId, permission, body, scroll: 0, armed: false };
}

export function questionDialog(question: Question): QuestionDialog {
  return {
    kind: "question",
    id: question.elicitationId,
    sessionId: question.sessionId,
    question,
    scroll: 0,
    armed: false,
    typed: TextBuffer.empty,
  };
}

/** The letter of each kind of answer, beside its number. */
const letters: Record<PermissionOption["kind"], readonly string[]> = {
  allow_once: ["y"],
  allow_turn: ["a", "t"],
  allow_session: ["s"],
  allow_always: ["r"],
  reject_once: ["n", "d"],
  reject_always: ["x"],
};

export function lettersOf(option: PermissionOption, options: readonly PermissionOption[]): readonly string[] {
  // Two options of one kind would share a letter: the first has it.
  return options.find((each) => each.kind === option.kind) === option ? letters[option.kind] : [];
}

/** The option that a key means; undefined: none. */
export function optionOfKey({ options }: Permission, key: string): PermissionOption | undefined {
  if (/^[1-9]$/.test(key)) return options[Number(key) - 1];
  return options.find((each) => lettersOf(each, options).includes(key));
}

/** The outcome of denying once, with feedback for the model where there is some. */
export function denial({ options }: Permission, feedback = ""): PermissionOutcome {
  const option =
    options.find((each) => each.kind === "reject_once") ?? options.find((each) => each.kind === "reject_always");
  if (!option) return { outcome: "cancelled" };
  return {
    outcome: "selected",
    optionId: option.optionId,
    ...(feedback.trim() === "" ? {} : { feedback: feedback.trim() }),
  };
}
