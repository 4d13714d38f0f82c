import type { Permission, PermissionOption } from "@harness/protocol";
import type { KeyLabels } from "../../keymap/key-labels.ts";
import { ALL_EDITS, digitOf, letterOf, MORE_ANSWERS, type PermissionDialog } from "../../state/dialogs.ts";

type Act =
  | { readonly do: "option"; readonly option: PermissionOption }
  /** Denies, and takes words for the model. */
  | { readonly do: "explain" }
  | { readonly do: "stop" }
  /** The next permission mode: edits are allowed from then on. */
  | { readonly do: "allowEdits" }
  /** Shows the other answers. */
  | { readonly do: "more" };

export type OfferedAnswer = {
  readonly act: Act;
  /** The key shown on the card, "": none; and the fixed characters that mean it. */
  readonly key: string;
  readonly characters: readonly string[];
  /** Its effect in full, then shorter for narrow screens. */
  readonly names: readonly [string, ...string[]];
  /** The same in a word. */
  readonly short: string;
  /** True if it is only accepted once the end of the card was in view. */
  readonly needsEnd: boolean;
  /** True if it holds for later calls: it is only accepted where its full name is in view. */
  readonly lasts: boolean;
};

type Offer = { readonly offersEdits: boolean; readonly keys: KeyLabels };

const shortNames: Record<PermissionOption["kind"], string> = {
  allow_once: "once",
  allow_turn: "turn",
  allow_session: "session",
  allow_always: "always",
  reject_once: "no",
  reject_always: "never",
};

/** How the row for further answers names them. */
const scopeWords: Record<PermissionOption["kind"], string> = {
  allow_once: "once",
  allow_turn: "this turn",
  allow_session: "this session",
  allow_always: "always",
  reject_once: "no",
  reject_always: "never",
};

/** The order in which one of the lasting answers is chosen for the card: people want this one most. */
const preferred = ["allow_turn", "allow_always", "allow_session"] as const;

/** The answers in view: the four that people need, or all that hold for later calls, with what each covers. */
export function offeredAnswers(dialog: PermissionDialog, offer: Offer): readonly OfferedAnswer[] {
  const { permission, isMore = false } = dialog;
  return isMore ? [...furtherAnswers(permission, offer), no] : firstAnswers(permission, offer);
}

function firstAnswers(permission: Permission, offer: Offer): OfferedAnswer[] {
  const { options } = permission;
  const once = options.find(({ kind }) => kind === "allow_once");
  const lasting = lastingAnswer(permission, offer);
  const further = furtherAnswers(permission, offer).filter(({ names: [name] }) => name !== lasting?.names[0]);
  const words = further.map(({ act, short }) => (act.do === "option" ? scopeWords[act.option.kind] : short));
  return [
    ...(once ? [answerOf(once, options)] : []),
    ...(lasting ? [lasting] : []),
    no,
    {
      act: { do: "stop" },
      key: offer.keys.of("permission.stop") ?? "",
      characters: [],
      names: ["Stop"],
      short: "stop",
      needsEnd: false,
      lasts: false,
    },
    ...(further.length > 0 ? [moreAnswer(words)] : []),
  ];
}

const no: OfferedAnswer = {
  act: { do: "explain" },
  key: "n",
  characters: ["n", "d", "3"],
  names: ["No, tell it what to do instead…", "No, and why…", "No…"],
  short: "no",
  needsEnd: false,
  lasts: false,
};

function moreAnswer(words: readonly string[]): OfferedAnswer {
  return {
    act: { do: "more" },
    key: MORE_ANSWERS,
    characters: [MORE_ANSWERS],
    names: [`More: ${words.join(", ")}`, "More…"],
    short: "more",
    needsEnd: false,
    lasts: false,
  };
}

/** The lasting answer in the first list. */
function lastingAnswer(permission: Permission, offer: Offer): OfferedAnswer | undefined {
  const { options } = permission;
  if (mayAllowEdits(permission, offer)) return allowEdits;
  const kind = preferred.find((each) => options.some((option) => option.kind === each));
  const option = options.find((each) => each.kind === kind);
  if (!option) return undefined;
  const answer = answerOf(option, options);
  // `a` is for all edits, however long they are allowed.
  return kind === "allow_turn" ? { ...answer, key: ALL_EDITS, characters: [ALL_EDITS, ...answer.characters] } : answer;
}

function furtherAnswers(permission: Permission, offer: Offer): OfferedAnswer[] {
  const { options } = permission;
  const lasting = options.filter(({ kind }) => kind !== "allow_once" && kind !== "reject_once");
  return [...(mayAllowEdits(permission, offer) ? [allowEdits] : []), ...lasting.map((each) => answerOf(each, options))];
}

function mayAllowEdits({ options }: Permission, { offersEdits }: Offer): boolean {
  return offersEdits && options.some(({ kind }) => kind === "allow_turn");
}

const allowEdits: OfferedAnswer = {
  act: { do: "allowEdits" },
  key: ALL_EDITS,
  characters: [ALL_EDITS],
  names: ["Yes, and all edits in this session", "Yes, all edits"],
  short: "edits",
  needsEnd: true,
  lasts: true,
};

function answerOf(option: PermissionOption, options: readonly PermissionOption[]): OfferedAnswer {
  const letter = letterOf(option, options);
  const digit = digitOf(option, options);
  const { name, kind } = option;
  const lasts = kind !== "allow_once" && kind !== "reject_once";
  return {
    act: { do: "option", option },
    key: letter ?? "",
    characters: [letter, digit].filter((each) => each !== undefined),
    names: [name, ...(lasts ? [kind === "reject_always" ? "Never…" : "Yes, and don't ask again…", "Yes…"] : ["Yes"])],
    short: shortNames[kind],
    needsEnd: kind !== "reject_once",
    lasts,
  };
}

/** How long an answer holds, before the text on what it covers. */
const scopeNames: Partial<Record<PermissionOption["kind"], string>> = {
  allow_always: "Yes, always",
  reject_always: "No, never",
};

/** All that a lasting answer means. */
export function fullText({ names: [name], act }: OfferedAnswer): string {
  const { covers, kind } = act.do === "option" ? act.option : {};
  return covers === undefined ? name : `${(kind && scopeNames[kind]) ?? name}: ${covers}`;
}

/** The answer that Enter gives: the one marked by arrows, else the safe one if the risk is high. */
export function markedIndex(
  answers: readonly OfferedAnswer[],
  { permission, marked }: { permission: Permission; marked?: number | undefined },
): number {
  if (marked !== undefined) return Math.max(0, Math.min(answers.length - 1, marked));
  if (permission.risk !== "high") return 0;
  return Math.max(
    0,
    answers.findIndex(({ act }) => act.do === "explain"),
  );
}
