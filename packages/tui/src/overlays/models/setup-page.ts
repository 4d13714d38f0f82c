import type { ProviderView } from "@harness/protocol";
import type { TextBuffer } from "../../input/index.ts";

type TypedInput = {
  readonly field: TextBuffer;
  /** The server is asked. */
  readonly busy: boolean;
  /** Why what was typed does not do. */
  readonly problem?: string | undefined;
};

/**
 * A way to get a model that is being taken: whose key it is, and typing it; a login; typing the address of a server or the path of a
 * model file. Of a key being typed only the length is here, because everything in this state can be drawn.
 */
export type SetupPage =
  | { readonly kind: "vendors"; readonly vendors: readonly ProviderView[]; readonly selected: number }
  | ({ readonly kind: "key"; readonly provider: string; readonly name: string } & TypedInput)
  | LoginPage
  | ({ readonly kind: "address" } & TypedInput)
  | PullPage
  | LoadPage
  /** `uninstalled`: the file was added, and the runtime that it needs is not there. */
  | ({ readonly kind: "file"; readonly uninstalled: boolean } & TypedInput);

/** A server downloads the model whose name is typed. */
export type PullPage = {
  readonly kind: "pull";
  readonly provider: string;
  readonly name: string;
  /** How far it is. */
  readonly progress?: string | undefined;
} & TypedInput;

/** A server loads a model that it has into its memory; `field` is not shown. */
export type LoadPage = {
  readonly kind: "load";
  readonly provider: string;
  readonly name: string;
  readonly model: string;
  /** How long it takes already. */
  readonly waitedMs?: number | undefined;
} & TypedInput;

export type LoginPage = {
  readonly kind: "login";
  readonly provider: string;
  readonly name: string;
  /** Missing until the server has begun it. */
  readonly login?: {
    readonly loginId: string;
    readonly url: string;
    readonly paste: string;
    readonly redirect?: string | undefined;
  };
} & TypedInput;
