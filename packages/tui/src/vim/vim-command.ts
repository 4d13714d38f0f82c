import { motionKeys } from "./vim-motions.ts";

/** A complete normal mode command. `count`: undefined if none was typed. */
export type VimCommand =
  | { readonly kind: "move"; readonly keys: string; readonly count: number | undefined }
  | {
      readonly kind: "operate";
      readonly operator: "d" | "c" | "y";
      readonly over: "lines" | "motion" | "object";
      readonly keys: string;
      readonly count: number | undefined;
    }
  | { readonly kind: "edit"; readonly keys: string; readonly count: number | undefined };

/** Short forms, and the commands that they stand for. */
const shortForms: Readonly<Record<string, string>> = { D: "d$", C: "c$", Y: "yy", x: "dl", X: "dh", s: "cl", S: "cc" };
const EDITS = "iaIAoOpPuJ~vV.";

/** The meaning of the keys typed so far: a command, the beginning of one, or nothing. */
export function readVimCommand(typed: string): VimCommand | "more" | undefined {
  const [count, keys] = splitCount(typed);
  if (keys === "") return "more";
  const whole = shortForms[keys] ?? keys;
  const [operator = ""] = whole;
  if (operator === "d" || operator === "c" || operator === "y") return readOperation(operator, whole.slice(1), count);
  if (EDITS.includes(whole)) return { kind: "edit", keys: whole, count };
  if (whole === "r") return "more";
  if (whole.startsWith("r")) return { kind: "edit", keys: whole, count };
  const motion = motionKeys(whole);
  return motion === "whole" ? { kind: "move", keys: whole, count } : motion === "more" ? "more" : undefined;
}

function readOperation(
  operator: "d" | "c" | "y",
  typed: string,
  before: number | undefined,
): ReturnType<typeof readVimCommand> {
  const [own, keys] = splitCount(typed);
  const count = own === undefined && before === undefined ? undefined : (own ?? 1) * (before ?? 1);
  if (keys === "") return "more";
  if (keys === operator) return { kind: "operate", operator, over: "lines", keys, count };
  if (keys === "i" || keys === "a") return "more";
  if (/^[ia]/.test(keys)) return { kind: "operate", operator, over: "object", keys, count };
  const motion = motionKeys(keys);
  if (motion !== "whole") return motion === "more" ? "more" : undefined;
  return { kind: "operate", operator, over: "motion", keys, count };
}

/** True if a command changes the text, by itself or through the text typed next, so that `.` repeats it. */
export function isChange(command: VimCommand): boolean {
  if (command.kind === "operate") return command.operator !== "y";
  return command.kind === "edit" && !"uvV.".includes(command.keys);
}

/** The count before a command; 0 alone is a motion. */
export function splitCount(typed: string): [number | undefined, string] {
  const [digits = ""] = /^[1-9]\d{0,3}/.exec(typed) ?? [];
  return [digits === "" ? undefined : Number(digits), typed.slice(digits.length)];
}
