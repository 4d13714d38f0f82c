/** A chord that is waiting for its second key, and the possible keys. */
export type PendingChord = {
  readonly first: string;
  readonly next: readonly { readonly key: string; readonly hint: string }[];
};
