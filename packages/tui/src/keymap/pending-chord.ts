/** A chord that waits for its second key, and what that key can be. */
export type PendingChord = {
  readonly first: string;
  readonly next: readonly { readonly key: string; readonly hint: string }[];
};
