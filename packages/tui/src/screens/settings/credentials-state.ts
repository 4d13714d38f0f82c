import type { CredentialView, ProviderView } from "@harness/protocol";
import type { TextBuffer } from "../../input/index.ts";
import type { Confirm } from "../../widgets/confirm.ts";

/**
 * The pending action on a provider's key. Holds only the length of a key being typed, because everything in this state
 * can be drawn.
 */
export type KeyWork =
  | { readonly kind: "typing"; readonly provider: string; readonly name: string; readonly length: number }
  | { readonly kind: "removing"; readonly provider: string; readonly name: string; readonly confirm: Confirm }
  | LoginWork;

/** A login that waits for the browser, or for pasted text. `login` is missing until the server has begun it. */
export type LoginWork = {
  readonly kind: "login";
  readonly provider: string;
  readonly name: string;
  readonly login?: {
    readonly loginId: string;
    readonly url: string;
    readonly paste: string;
    readonly redirect?: string | undefined;
  };
  readonly pasted: TextBuffer;
};

export type KeysState = {
  /** Providers that take a key or a login. */
  readonly providers: readonly ProviderView[] | undefined;
  readonly credentials: readonly CredentialView[];
  readonly problems: readonly string[];
  readonly work: KeyWork | undefined;
  readonly busy: boolean;
  /** The result of the last action. */
  readonly message: { readonly severity: "success" | "error"; readonly text: string } | undefined;
};

export const emptyKeys: KeysState = {
  providers: undefined,
  credentials: [],
  problems: [],
  work: undefined,
  busy: false,
  message: undefined,
};

/** The key or login in use for a provider, followed by any others. */
export function credentialsOf({ credentials }: Pick<KeysState, "credentials">, provider: string): CredentialView[] {
  const own = credentials.filter((each) => each.provider === provider);
  return [...own.filter(({ unused }) => !unused), ...own.filter(({ unused }) => unused)];
}

/** For example `sk-a…wxyz`, and where it is stored. */
export function credentialText({ masked, source, from }: CredentialView): string {
  return `${masked}  ${source === "env" ? `${from}, environment` : from}`;
}
