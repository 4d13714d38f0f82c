/** Control characters, and those that reverse the direction of text: none may change how a page reads. */
const UNSEEN = /(?![\n\t])[\p{Cc}\p{Cs}\p{Cn}\p{Bidi_Control}]/gu;

/** Text from a log for people: lines end with LF only, and each invisible character is shown as a visible stand-in. */
export function readableText(text: string): string {
  return text.replace(/\r\n?/g, "\n").replace(UNSEEN, "\ufffd");
}
