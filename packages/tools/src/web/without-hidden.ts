/**
 * Tag characters, variation selectors other than emoji's, direction marks and zero-width spaces: invisible to people,
 * visible to models.
 */
const HIDDEN = /[\u{e0000}-\u{e0fff}\u00ad\u200b\u2060-\u2064\u202a-\u202e\u2066-\u206f\ufeff]/gu;

/** Removes characters that only a model would read. */
export function withoutHidden(text: string): string {
  return text.replace(HIDDEN, "");
}
