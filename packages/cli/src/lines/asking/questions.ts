import type { Question, QuestionAnswer } from "@harness/client";
import type { Permission, PermissionOption, PermissionOutcome } from "@harness/protocol";
import { visibleText } from "@harness/protocol";
import { permissionSubject } from "../../text/permission-subject.ts";

/** The letter of each kind of answer. */
const letters: Record<PermissionOption["kind"], string> = {
  allow_once: "y",
  allow_turn: "a",
  allow_session: "s",
  allow_always: "r",
  reject_once: "n",
  reject_always: "x",
};

/** A permission request in full: nothing can be allowed that was not shown. */
export function permissionText(permission: Permission): string {
  return [
    permissionSubject(permission),
    ...permission.options.map((option) => `  ${keyOf(option)}  ${visibleText(option.name)}${covers(option)}`),
    "  w WORDS  No, and your words say what to do instead",
    "  stop  No, and stop the turn",
  ].join("\n");
}

function covers({ covers: text }: PermissionOption): string {
  return text === undefined ? "" : `: ${visibleText(text)}`;
}

function keyOf({ kind }: PermissionOption): string {
  return letters[kind];
}

/** The answer that a line gives; undefined if it is not an answer. `stops`: the turn ends as well. */
export function permissionAnswer(
  { options }: Permission,
  line: string,
): { outcome: PermissionOutcome; stops: boolean } | undefined {
  const [word = "", ...rest] = line.trim().split(/\s+/);
  const key = word.toLowerCase();
  const denial = options.find(({ kind }) => kind === "reject_once");
  const deny = (feedback: string): PermissionOutcome =>
    denial
      ? { outcome: "selected", optionId: denial.optionId, ...(feedback === "" ? {} : { feedback }) }
      : { outcome: "cancelled" };
  if (key === "stop" && rest.length === 0) return { outcome: deny(""), stops: true };
  // Only the letter that asks for text may be followed by some; other answers must be the whole line, so that a
  // sentence is never taken for one.
  if (key === "w" && rest.length > 0) return { outcome: deny(rest.join(" ")), stops: false };
  if (key === "n" && rest.length === 0) return { outcome: deny(""), stops: false };
  const chosen = rest.length === 0 ? options.find((option) => keyOf(option) === key) : undefined;
  return chosen && { outcome: { outcome: "selected", optionId: chosen.optionId }, stops: false };
}

export const PERMISSION_HINT =
  "Answer with one of the letters above; nothing has been decided. w and your words deny it and say why.";

/** A question of the agent with its numbered answers. */
export function questionText({
  message,
  about,
  header,
  part,
  options,
  freeText,
  multiple,
  back,
  given,
}: Question): string {
  const subject = visibleText(header?.trim() ?? "");
  const place = part ? `(${part.at} of ${part.of})` : "";
  const lead = [place, subject === "" ? "" : `${subject}:`].filter((each) => each !== "").join(" ");
  const rows = options.flatMap(({ name, description }, at) => [
    `  ${at + 1}  ${visibleText(name)}`,
    ...(description === undefined ? [] : [`     ${visibleText(description)}`]),
  ]);
  const before = given && (options.find(({ optionId }) => optionId === given.optionId)?.name ?? given.text);
  const ways = [
    ...(options.length > 0 ? [multiple ? "numbers such as 1, 3" : "a number"] : []),
    ...(freeText ? ["your own words"] : []),
    ...(back ? ["back for the question before"] : []),
    "skip to give no answer",
  ];
  return [
    ...(about === undefined ? [] : [visibleLines(about), ""]),
    `${lead === "" ? "" : `${lead} `}${visibleLines(message)}`,
    ...rows,
    ...(before === undefined ? [] : [`  Your answer so far: ${visibleText(before)}`]),
    `  Answer with ${ways.join(", or ")}.`,
  ].join("\n");
}

function visibleLines(text: string): string {
  return text.split("\n").map(visibleText).join("\n");
}

/** The answer that a line gives; undefined if it is not an answer. */
export function questionAnswer(
  { options, freeText, multiple, back }: Question,
  line: string,
): QuestionAnswer | undefined {
  const text = line.trim();
  if (text === "") return undefined;
  if (text.toLowerCase() === "skip") return { action: "decline" };
  if (back && text.toLowerCase() === "back") return { action: "back" };
  const byNumber = /^\d+$/.test(text) ? options[Number(text) - 1] : undefined;
  const chosen = byNumber ?? options.find(({ name }) => name.toLowerCase() === text.toLowerCase());
  if (chosen) return { action: "accept", optionId: chosen.optionId };
  // Free text stays free text, even with a number in it: every part has to be the number of an answer.
  const parts = multiple && /^\d+(?:[\s,;]+\d+)*[,;]?$/.test(text) ? text.match(/\d+/g) : null;
  if (parts) {
    const named = [...new Set(parts)].map((part) => options[Number(part) - 1]);
    if (named.some((each) => each === undefined)) return undefined;
    return { action: "accept", text: named.flatMap((each) => each?.name ?? []).join("; ") };
  }
  return freeText ? { action: "accept", text } : undefined;
}
