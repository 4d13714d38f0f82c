/** Controls, and characters that turn the direction of what follows: none of them may change how a page reads. */
const UNSEEN = /(?![\n\t])[\p{Cc}\p{Cs}\p{Cn}\p{Bidi_Control}]/gu;

/** A text of a log for people: lines end with LF alone, and each unseen character is shown as one that stands for it. */
export function readableText(text: string): string {
  return text.replace(/\r\n?/g, "\n").replace(UNSEEN, "\ufffd");
}
