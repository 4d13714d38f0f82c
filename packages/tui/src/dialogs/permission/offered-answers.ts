import type { Permission, PermissionOption } from "@harness/protocol";
import type { KeyLabels } from "../../keymap/key-labels.ts";
import { digitOf, lettersOf } from "../../state/dialogs.ts";

type Act =
  | { readonly do: "option"; readonly option: PermissionOption }
  /** Types a reason and denies with it. */
  | { readonly do: "explain" }
  | { readonly do: "stop" }
  /** The next permission mode: edits are allowed from then on. */
  | { readonly do: "allowEdits" };

export type OfferedAnswer = {
  readonly act: Act;
  /** The key shown on the card, "": none; and the fixed characters that mean it. */
  readonly key: string;
  readonly characters: readonly string[];
  /** Its effect, in full and in a word. */
  readonly name: string;
  readonly short: string;
  /** True if it is only accepted once the end of the card was in view. */
  readonly needsEnd: boolean;
};

/** Its key is chosen by the user. */
type UnkeyedAnswer = Omit<OfferedAnswer, "key">;

const shortNames: Record<PermissionOption["kind"], string> = {
  allow_once: "once",
  allow_turn: "turn",
  allow_session: "session",
  allow_always: "always",
  reject_once: "deny",
  reject_always: "never",
};

const allowEdits: UnkeyedAnswer = {
  act: { do: "allowEdits" },
  characters: [],
  name: "Allow all edits in this session",
  short: "edits",
  needsEnd: true,
};
const explain: UnkeyedAnswer = {
  act: { do: "explain" },
  characters: [],
  name: "Deny and say why…",
  short: "why",
  needsEnd: false,
};
const stop: UnkeyedAnswer = {
  act: { do: "stop" },
  characters: [],
  name: "Deny and stop",
  short: "stop",
  needsEnd: false,
};

/** All possible answers, in the order of the card. */
export function offeredAnswers(
  permission: Permission,
  { offersEdits, keys }: { offersEdits: boolean; keys: KeyLabels },
): readonly OfferedAnswer[] {
  const { options } = permission;
  const isRefusal = ({ kind }: PermissionOption): boolean => kind === "reject_once" || kind === "reject_always";
  const answersOf = (some: readonly PermissionOption[]) => some.map((option) => answerOf(option, options));
  const isEdit = options.some(({ kind }) => kind === "allow_turn");
  return [
    ...answersOf(options.filter((option) => !isRefusal(option))),
    ...(offersEdits && isEdit ? [{ ...allowEdits, key: keys.of("chat.permissionMode") ?? "" }] : []),
    ...answersOf(options.filter(({ kind }) => kind === "reject_once")),
    { ...explain, key: keys.of("permission.explain") ?? "" },
    ...answersOf(options.filter(({ kind }) => kind === "reject_always")),
    { ...stop, key: keys.of("permission.stop") ?? "" },
  ];
}

function answerOf(option: PermissionOption, options: readonly PermissionOption[]): OfferedAnswer {
  const letters = lettersOf(option, options);
  const digit = digitOf(option, options);
  const { name, covers, kind } = option;
  return {
    act: { do: "option", option },
    key: letters[0] ?? "",
    characters: digit === undefined ? letters : [...letters, digit],
    name: covers ? `${name}: ${covers}` : name,
    short: shortNames[kind],
    needsEnd: kind !== "reject_once",
  };
}

/** The answer that Enter gives: the one marked by arrows, else the safe one if the risk is high. */
export function markedIndex(
  answers: readonly OfferedAnswer[],
  { permission, marked }: { permission: Permission; marked?: number | undefined },
): number {
  if (marked !== undefined) return Math.max(0, Math.min(answers.length - 1, marked));
  if (permission.risk !== "high") return 0;
  const deny = answers.findIndex(({ act }) => act.do === "option" && act.option.kind === "reject_once");
  return deny < 0 ? answers.length - 1 : deny;
}
