type Seer = { see(reply: string): void };

/** Questions to the terminal; their answers come among the keys, in the order of the questions. */
export class TerminalReplies {
  readonly #write: (data: string) => void;
  readonly #always: Seer;
  readonly #waiting = new Set<(reply: string) => void>();

  /** `always` sees each reply, asked for or not. */
  constructor(write: (data: string) => void, always: Seer) {
    this.#write = write;
    this.#always = always;
  }

  /** A reply has come, of whatever kind. */
  see(reply: string): void {
    this.#always.see(reply);
    for (const take of [...this.#waiting]) take(reply);
  }

  /** What `read` makes of the replies, the first time that it makes something of one; undefined when the time is over. */
  ask<T>(question: string, read: (reply: string) => T | undefined, maxMs: number): Promise<T | undefined> {
    return new Promise((resolve) => {
      const end = (answer: T | undefined): void => {
        clearTimeout(timer);
        this.#waiting.delete(take);
        resolve(answer);
      };
      const take = (reply: string): void => {
        const answer = read(reply);
        if (answer !== undefined) end(answer);
      };
      const timer = setTimeout(() => end(undefined), maxMs);
      this.#waiting.add(take);
      this.#write(question);
    });
  }
}

/** The last question of several: every terminal answers it, after those that it knows. */
export const ASK_ATTRIBUTES = "\u001b[c";

/** The attributes of a terminal in its reply to that; undefined: it is another reply. */
export function attributesIn(reply: string): string[] | undefined {
  return /^.\[\?([\d;]*)c$/.exec(reply)?.[1]?.split(";");
}
