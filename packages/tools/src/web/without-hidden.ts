/** Tag characters, selectors beyond those of emoji, directions and blanks without width: people do not see them, models read them. */
const HIDDEN = /[\u{e0000}-\u{e0fff}\u00ad\u200b\u2060-\u2064\u202a-\u202e\u2066-\u206f\ufeff]/gu;

/** What others wrote, without what only a model would read. */
export function withoutHidden(text: string): string {
  return text.replace(HIDDEN, "");
}
