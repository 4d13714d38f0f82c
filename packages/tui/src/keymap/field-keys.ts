/** `Enter saves`: the effect of Enter in a one-line field. It is fixed there, so that every field can be left. */
export function enterHint(what: string): string {
  return `Enter ${what}`;
}

/** `Esc cancels`: the key that ends anything that waits for a single key. */
export function escapeHint(what: string): string {
  return `Esc ${what}`;
}

/** `Enter saves · Esc cancels`: the keys of a field whose Escape is fixed as well. */
export function fieldHint({ enter, leave }: { readonly enter: string; readonly leave: string }): string {
  return `${enterHint(enter)} · ${escapeHint(leave)}`;
}

/** `Tab changes it`: the key that goes to the next choice beside a field. */
export function tabHint(what: string): string {
  return `Tab ${what}`;
}
