import type { ProviderSecrets, TrustView } from "@harness/protocol";
import { WrapCache } from "../text/wrap-cache.ts";
import type { BegunAnswer } from "./dialogs.ts";

/**
 * The files of a folder that would take effect, shown before any of them does. `asked`: it opened by itself, and
 * messages wait for the answer; otherwise the user opened it to read it.
 */
export type TrustDialog = {
  readonly view: TrustView;
  /** The question is which secrets the first of these gets, then the next; if empty, whether the files take effect. */
  readonly providers: readonly ProviderSecrets[];
  /** The information to decide by, as rows. */
  readonly body: WrapCache;
  readonly asked: boolean;
  readonly scroll: number;
  /** Programs and prompts are shown in full. */
  readonly isWhole?: boolean;
  /** The terminal has shown it long enough for a key to be meant for it. */
  readonly armed: boolean;
  /** A trusting answer was given before the end was shown. */
  readonly tooEarly?: boolean;
  /** The user left a draft in the input to answer. */
  readonly isEntered?: boolean | undefined;
  /** The answer marked by arrows or a character; absent for the one that refuses. */
  readonly marked?: number | undefined;
  readonly begun?: BegunAnswer | undefined;
  /** The answer is being saved. */
  readonly saving?: boolean;
  /** Why the last answer was rejected, or why the question is asked again. */
  readonly problem?: string | undefined;
};

export function trustDialog(
  view: TrustView,
  { asked, problem, providers = [] }: Pick<TrustDialog, "asked" | "problem"> & Partial<Pick<TrustDialog, "providers">>,
): TrustDialog {
  return { view, providers, asked, problem, body: new WrapCache(), scroll: 0, armed: false };
}

export type TrustAnswer = "trust" | "session" | "refuse" | "forget" | "secrets" | "grant" | "withhold";

export type TrustOption = {
  readonly answer: TrustAnswer;
  readonly keys: readonly string[];
  readonly name: string;
  readonly short: string;
};

const rows: readonly TrustOption[] = [
  { answer: "trust", keys: ["t", "1"], name: "Trust exactly this content, until it changes", short: "trust" },
  { answer: "session", keys: ["o", "2"], name: "Trust it for this run only", short: "this run" },
  { answer: "refuse", keys: ["n", "3"], name: "Do not trust it", short: "no" },
  { answer: "forget", keys: ["f", "4"], name: "Stop trusting it", short: "forget" },
  { answer: "secrets", keys: ["s", "5"], name: "Decide about its providers' secrets", short: "secrets" },
];

const secretRows: readonly TrustOption[] = [
  {
    answer: "grant",
    keys: ["g", "1"],
    name: "Grant it these secrets, until it changes or asks for more",
    short: "grant",
  },
  { answer: "withhold", keys: ["n", "2"], name: "Use it without them", short: "no" },
];

type TrustQuestion = Pick<TrustDialog, "view" | "providers">;

/** The answers available in the folder's state; a number means the same answer whatever else is offered. */
export function trustOptions({
  view: { state, refusal, secrets = [] },
  providers,
}: TrustQuestion): readonly TrustOption[] {
  if (providers.length > 0) return secretRows;
  const isKept = state === "trusted" || state === "session";
  return rows.filter(({ answer }) => {
    if (answer === "secrets") return isKept && secrets.length > 0;
    if (answer === "forget") return state === "trusted";
    if (answer === "trust") return state !== "trusted" && refusal === undefined;
    if (answer === "session") return !isKept;
    return state !== "refused" && state !== "trusted";
  });
}

/** The index of the answer that a character marks; -1 if there is none. */
export function trustOptionOfKey(question: TrustQuestion, key: string): number {
  return trustOptions(question).findIndex(({ keys }) => keys.includes(key));
}

/** The answer that Enter gives, at first the one that refuses; -1 if it was refused already and Enter just closes. */
export function markedTrustAnswer({ marked, ...asked }: TrustDialog): number {
  const options = trustOptions(asked);
  if (marked !== undefined) return Math.min(marked, options.length - 1);
  return options.findIndex(({ answer }) => answer === "refuse" || answer === "withhold");
}

export function movedMark(dialog: TrustDialog, by: number): number {
  return Math.max(0, Math.min(trustOptions(dialog).length - 1, markedTrustAnswer(dialog) + by));
}

/** True if the user has to be asked before the first message. */
export function wantsAnswer({ state, items }: TrustView): boolean {
  return items.length > 0 && (state === "untrusted" || state === "changed");
}

/** Providers with a secret that is neither granted nor withheld: the user is asked before the first message. */
export function undecidedProviders({ secrets = [] }: TrustView): readonly ProviderSecrets[] {
  return secrets.filter(({ variables }) => variables.some(({ state }) => state === "undecided"));
}

/**
 * The secrets that an answer decides: a provider's undecided ones, or all if there are none; `kept` are those it gets
 * anyway.
 */
export function secretsInQuestion({ variables }: ProviderSecrets): {
  variables: ProviderSecrets["variables"];
  kept: readonly string[];
} {
  const undecided = variables.filter(({ state }) => state === "undecided");
  if (undecided.length === 0) return { variables, kept: [] };
  return { variables: undecided, kept: variables.filter(({ state }) => state === "granted").map(({ name }) => name) };
}
