import type { Question } from "@harness/client";
import { NO_PROGRESS, type ReviewProgress } from "@harness/client/actions";
import type { Permission, PermissionOption, PermissionOutcome } from "@harness/protocol";
import { spokenLine } from "../figures/spoken-title.ts";
import { TextBuffer } from "../input/index.ts";
import { WrapCache } from "../text/wrap-cache.ts";

/**
 * A character that has marked an answer. It does not answer by itself: Enter does, and another character makes both the
 * beginning of a message. `before`: what was marked until then; `wasMore`: whether the further answers were in view.
 */
export type BegunAnswer = {
  readonly text: string;
  readonly before: number | undefined;
  readonly wasMore?: boolean;
  /** Earlier characters: they have had their effect, and come first in a message. */
  readonly opener?: string;
};

/**
 * A request of the server to the user. `scroll`: the first row in view of the part that scrolls. `armed`: the terminal
 * has shown the dialog long enough for a key to be meant for it.
 */
type ShownDialog = {
  readonly id: string;
  readonly sessionId: string;
  readonly scroll: number;
  readonly armed: boolean;
  /** The user left a draft in the input to answer. */
  readonly isEntered?: boolean | undefined;
  /** The answer marked by arrows or a character; absent for the default. */
  readonly marked?: number | undefined;
  readonly begun?: BegunAnswer | undefined;
  /** Keys that came before the dialog, and were dropped. */
  readonly early?: string | undefined;
};
export type PermissionDialog = ShownDialog & {
  readonly kind: "permission";
  readonly permission: Permission;
  /** The information to decide by, as rows. */
  readonly body: WrapCache;
  /** The answers for later calls are in view, in place of the request. */
  readonly isMore?: boolean | undefined;
  /** The reason for a denial, while it is being typed. */
  readonly feedback?: TextBuffer | undefined;
  /** An allowing answer was given before the end of the request was shown. */
  readonly tooEarly?: boolean;
  /** For a review: the decisions so far, and the answer to the change in view that a character has marked. */
  readonly review?: ReviewProgress | undefined;
  readonly choice?: ReviewChoice | undefined;
  /** The turn it belongs to is being stopped. */
  readonly isStopping?: boolean;
};
/** The effect of Enter in a review, if it does not accept the change in view. */
export type ReviewChoice = "takeHunk" | "rejectHunk" | "explain" | "edit" | "takeRest" | "rejectRest";
export type QuestionDialog = ShownDialog & {
  readonly kind: "question";
  readonly question: Question;
  /** The answer being typed. */
  readonly typed: TextBuffer;
  /** The chosen answers, if several may be given. */
  readonly checked?: readonly number[];
  /** Enter was pressed with none of them chosen: the next one says so. */
  readonly asksNone?: boolean | undefined;
};
export type Dialog = PermissionDialog | QuestionDialog;

/** The dialog as it was before a character marked an answer. */
export function withoutBegun(dialog: Dialog): Dialog {
  const { begun } = dialog;
  if (!begun) return dialog;
  const before = { begun: undefined, marked: begun.before };
  if (dialog.kind === "question") return { ...dialog, ...before, typed: TextBuffer.empty };
  return { ...dialog, ...before, choice: undefined, isMore: begun.wasMore ?? dialog.isMore };
}

/** Identifies the text that must be read to its end before it can be allowed: a request, or one change of a review. */
export function readingEndKey({ id, permission, review = NO_PROGRESS }: PermissionDialog): string {
  return `${id} ${permission.review?.[review.at]?.hunkId ?? ""}`;
}

/** The agent that asks. */
export function agentOf(dialog: Dialog): string {
  return dialog.kind === "permission" ? dialog.permission.agentId : dialog.question.agentId;
}

/** The subject of a dialog in one line, a call as the transcript names it; untrusted text. */
export function subjectOf(dialog: Dialog): string {
  return dialog.kind === "permission" ? wantedCall(dialog.permission) : dialog.question.message;
}

/** The call that a request is about, in words for people: `Run npm test`. */
export function wantedCall(permission: Permission): string {
  return spokenLine({ title: callTitle(permission), name: permission.tool, status: "pending" });
}

/** The tool and what it would do. */
export function callTitle({ title, tool }: Permission): string {
  return title.startsWith(tool) ? title : `${tool} ${title}`;
}

export function permissionDialog(sessionId: string, permission: Permission): PermissionDialog {
  const body = new WrapCache();
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
    ...givenAnswer(question),
  };
}

/** The answer to a question with several answers, if the person chooses none. */
export const NONE_OF_THESE = "none of these";

/** The answer that was given before the person went back, as they had left it. */
function givenAnswer({ options, multiple, given }: Question): Pick<QuestionDialog, "typed" | "marked" | "checked"> {
  const marked = options.findIndex(({ optionId }) => optionId === given?.optionId);
  if (marked >= 0) return { typed: TextBuffer.empty, marked, ...(multiple ? { checked: [marked] } : {}) };
  const parts = given?.text === undefined ? [] : multiple ? given.text.split("; ") : [given.text];
  const isName = (part: string): boolean => options.some(({ name }) => name === part);
  const checked = options.flatMap(({ name }, at) => (parts.includes(name) ? [at] : []));
  const isNone = multiple === true && given?.text === NONE_OF_THESE;
  const typed = TextBuffer.empty.insert(isNone ? "" : parts.filter((part) => !isName(part)).join("; "));
  return { typed, ...(checked.length > 0 ? { checked } : {}) };
}

/** The letter of each kind of answer. */
const letters: Record<PermissionOption["kind"], string> = {
  allow_once: "y",
  allow_turn: "t",
  allow_session: "s",
  allow_always: "r",
  reject_once: "n",
  reject_always: "x",
};
/** The letters for all edits, and for the answers that have no row of their own. */
export const ALL_EDITS = "a";
export const MORE_ANSWERS = "m";

export function letterOf(option: PermissionOption, options: readonly PermissionOption[]): string | undefined {
  // Two options of one kind would share a letter, so only the first has it.
  return options.find((each) => each.kind === option.kind) === option ? letters[option.kind] : undefined;
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

/** True if this letter or number marks an answer in some permission dialog. */
export function isAnswerCharacter(character: string): boolean {
  const fixed = [...Object.values(letters), ...Object.values(digits), ALL_EDITS, MORE_ANSWERS, "d"];
  return fixed.includes(character);
}

/** The most keys that a user presses for one question. */
const MAX_EARLY = 3;

/** True for a draft that only repeats one answer: `y`, `yy`. */
export function isEarlyAnswer(draft: string): boolean {
  const [first = ""] = draft;
  return draft.length <= MAX_EARLY && isAnswerCharacter(first) && draft === first.repeat(draft.length);
}

export function digitOf(option: PermissionOption, options: readonly PermissionOption[]): string | undefined {
  return options.find((each) => each.kind === option.kind) === option ? digits[option.kind] : undefined;
}

/** The outcome of denying once, with feedback for the model if there is any. */
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
