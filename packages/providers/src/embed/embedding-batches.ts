/** Code has about three characters in a token; the servers cut what is still too long. */
const CHARS_PER_TOKEN = 3;

/** The text as it is sent: with the prefix of its purpose, well formed, at most as long as the model reads. */
export function preparedText(text: string, prefix: string, maxTokens: number): string {
  const whole = prefix + (text.trim() === "" ? "-" : text);
  return whole.slice(0, maxTokens * CHARS_PER_TOKEN).toWellFormed();
}

/** Consecutive positions of the texts, in batches within both limits; a batch has at least one text. */
export function batchesOf(texts: readonly string[], limits: { texts: number; tokens: number }): number[][] {
  const batches: number[][] = [];
  let tokens = 0;
  for (const [at, text] of texts.entries()) {
    const own = Math.ceil(text.length / CHARS_PER_TOKEN);
    const last = batches.at(-1);
    if (last && last.length < limits.texts && tokens + own <= limits.tokens) {
      last.push(at);
      tokens += own;
    } else {
      batches.push([at]);
      tokens = own;
    }
  }
  return batches;
}

export function bothHalves<T>(list: readonly T[]): [T[], T[]] {
  const middle = Math.ceil(list.length / 2);
  return [list.slice(0, middle), list.slice(middle)];
}
