import type { ReviewProgress } from "@harness/client/actions";
import type { CallParams, ClientMethods, Permission, PermissionOption, PermissionOutcome } from "@harness/protocol";
import { TextBuffer } from "../input/index.ts";
import { WrappedOnce } from "../text/wrapped-once.ts";

export type Question = CallParams<ClientMethods, "elicitation/create">;

/**
 * A request of the server to the person. `scroll`: the first row in view of what can be scrolled. `armed`: it has been in
 * view long enough for a key to be meant for it.
 */
type Shown = {
  readonly id: string;
  readonly sessionId: string;
  readonly scroll: number;
  readonly armed: boolean;
  /** The person left a draft in the input to answer. */
  readonly isEntered?: boolean | undefined;
  /** The answer that the arrows have marked; absent: the usual one. */
  readonly marked?: number | undefined;
};
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
  /** Of a review: what was decided so far. */
  readonly review?: ReviewProgress | undefined;
  /** Its turn is being stopped. */
  readonly isStopping?: boolean;
};
export type QuestionDialog = Shown & {
  readonly kind: "question";
  readonly question: Question;
  /** The answer being typed. */
  readonly typed: TextBuffer;
  /** Where several answers may be given: those that were chosen. */
  readonly checked?: readonly number[];
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

/** The letter of each kind of answer. */
const letters: Record<PermissionOption["kind"], readonly string[]> = {
  allow_once: ["y"],
  allow_turn: ["a", "t"],
  allow_session: ["s"],
  allow_always: ["r"],
  reject_once: ["n", "d"],
  reject_always: ["x"],
};

/** Whether some permission dialog is answered by this character, offered in the one at hand or not. */
export function isAnswerLetter(character: string): boolean {
  return Object.values(letters).some((each) => each.includes(character));
}

export function lettersOf(option: PermissionOption, options: readonly PermissionOption[]): readonly string[] {
  // Two options of one kind would share a letter: the first has it.
  return options.find((each) => each.kind === option.kind) === option ? letters[option.kind] : [];
}

/** A number means the same answer in every dialog, whatever else is offered. */
const digits: Record<PermissionOption["kind"], string> = {
  allow_once: "1",
  allow_session: "2",
  reject_once: "3",
  allow_turn: "4",
  allow_always: "5",
  reject_always: "6",
};

/** Whether some permission dialog is answered by this letter or number. */
export function isAnswerCharacter(character: string): boolean {
  return isAnswerLetter(character) || Object.values(digits).includes(character);
}

export function digitOf(option: PermissionOption, options: readonly PermissionOption[]): string | undefined {
  return options.find((each) => each.kind === option.kind) === option ? digits[option.kind] : undefined;
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
