const MIN_SHOWN_LENGTH = 16;

/** The first and last four characters, to tell keys apart; nothing of a short key. */
export function masked(secret: string): string {
  if (secret.length < MIN_SHOWN_LENGTH) return "•".repeat(8);
  return `${secret.slice(0, 4)}…${secret.slice(-4)}`;
}
