import type { TrustView } from "@harness/protocol";
import { WrappedOnce } from "../text/wrapped-once.ts";

/**
 * The files of a folder that would take effect, shown before any of them does. `asked`: it opened by itself and messages
 * wait for the answer; else it was opened to be read.
 */
export type TrustDialog = {
  readonly view: TrustView;
  /** What it is decided by, as rows. */
  readonly body: WrappedOnce;
  readonly asked: boolean;
  readonly scroll: number;
  /** It has been in view long enough for a key to be meant for it. */
  readonly armed: boolean;
  /** When its end came into view by scrolling, on the window's clock. */
  readonly endSeenAtMs?: number | undefined;
  /** A trusting answer came before that. */
  readonly tooEarly?: boolean;
  /** The answer is on its way. */
  readonly saving?: boolean;
  /** Why the last answer was not taken, or why it is asked again. */
  readonly problem?: string | undefined;
};

export function trustDialog(view: TrustView, { asked, problem }: Pick<TrustDialog, "asked" | "problem">): TrustDialog {
  return { view, asked, problem, body: new WrappedOnce(), scroll: 0, armed: false };
}

export type TrustAnswer = "trust" | "session" | "refuse" | "forget";

type TrustOption = {
  readonly answer: TrustAnswer;
  readonly keys: readonly string[];
  readonly name: string;
  readonly short: string;
};

const rows: readonly TrustOption[] = [
  { answer: "trust", keys: ["t"], name: "Trust exactly this content, until it changes", short: "trust" },
  { answer: "session", keys: ["o"], name: "Only for this run", short: "this run" },
  { answer: "refuse", keys: ["n"], name: "No: nothing of it runs; only what restricts counts", short: "no" },
  { answer: "forget", keys: ["f"], name: "Stop trusting it", short: "forget" },
];

/** The answers that a folder's state leaves, in the order of their numbers. */
export function trustOptions({ state, refusal }: TrustView): readonly TrustOption[] {
  const isKept = state === "trusted" || state === "session";
  return rows.filter(({ answer }) => {
    if (answer === "forget") return state === "trusted";
    if (answer === "trust") return state !== "trusted" && refusal === undefined;
    if (answer === "session") return !isKept;
    return state !== "refused" && state !== "trusted";
  });
}

export function trustOptionOfKey(view: TrustView, key: string): TrustOption | undefined {
  const options = trustOptions(view);
  return /^[1-9]$/.test(key) ? options[Number(key) - 1] : options.find(({ keys }) => keys.includes(key));
}

/** Whether the person has to be asked before the first message. */
export function wantsAnswer({ state, items }: TrustView): boolean {
  return items.length > 0 && (state === "untrusted" || state === "changed");
}
