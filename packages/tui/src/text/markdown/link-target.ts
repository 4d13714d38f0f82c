/** A longer address is shown but cannot be clicked. */
const MAX_LINK = 500;

/** An address that a terminal may open: a web page or mail, in characters that cannot end the escape sequence. */
export function linkTarget(href: string): string | undefined {
  if (!/^(?:https?:\/\/|mailto:)/i.test(href) || href.length > MAX_LINK || !URL.canParse(href)) return undefined;
  const target = new URL(href).href;
  return target.length <= MAX_LINK && /^[\x21-\x7e]+$/.test(target) ? target : undefined;
}
