import type { ProviderView } from "@harness/protocol";
import type { TextBuffer } from "../../input/index.ts";

type TypedInput = {
  readonly field: TextBuffer;
  /** Waiting for the server. */
  readonly busy: boolean;
  /** Why the input was not accepted. */
  readonly problem?: string | undefined;
};

/**
 * The chosen way to get a model: picking a vendor and typing its key; a login; typing the address of a server or the
 * path of a model file. Only the length of a key being typed is here, because everything in this state can be drawn.
 */
export type SetupPage =
  | { readonly kind: "vendors"; readonly vendors: readonly ProviderView[]; readonly selected: number }
  | ({ readonly kind: "key"; readonly provider: string; readonly name: string } & TypedInput)
  | LoginPage
  | ({ readonly kind: "address" } & TypedInput)
  | PullPage
  | LoadPage
  /** `uninstalled`: the file was added, but the runtime it needs is not installed. */
  | ({ readonly kind: "file"; readonly uninstalled: boolean } & TypedInput);

/** Lets a server download the model whose name is typed. */
export type PullPage = {
  readonly kind: "pull";
  readonly provider: string;
  readonly name: string;
  /** How far the download is. */
  readonly progress?: string | undefined;
} & TypedInput;

/** Lets a server load a model that it has into memory; `field` is not shown. */
export type LoadPage = {
  readonly kind: "load";
  readonly provider: string;
  readonly name: string;
  readonly model: string;
  /** How long it has taken so far. */
  readonly waitedMs?: number | undefined;
} & TypedInput;

export type LoginPage = {
  readonly kind: "login";
  readonly provider: string;
  readonly name: string;
  /** Absent until the server has started it. */
  readonly login?: {
    readonly loginId: string;
    readonly url: string;
    readonly paste: string;
    readonly redirect?: string | undefined;
  };
} & TypedInput;
