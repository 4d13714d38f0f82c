type ReplyListener = { take(reply: string): void };

/** Queries to the terminal; the replies arrive among the keys, in the order of the queries. */
export class TerminalReplies {
  readonly #write: (data: string) => void;
  readonly #always: ReplyListener;
  readonly #waiting = new Set<(reply: string) => void>();
  /** How often the terminal was asked for its status, how often it replied, and who waits for which reply. */
  #statusAsked = 0;
  #statusAnswered = 0;
  #acknowledging: { answer: number; processed: () => void }[] = [];

  /** `always` gets each reply, requested or not. */
  constructor(write: (data: string) => void, always: ReplyListener) {
    this.#write = write;
    this.#always = always;
  }

  /** A reply of any kind has arrived. */
  take(reply: string): void {
    this.#always.take(reply);
    if (STATUS_REPLY.test(reply)) this.#statusSeen();
    for (const take of [...this.#waiting]) take(reply);
  }

  /** Finds out whether the terminal replies to status queries. */
  probe(): void {
    this.#askStatus();
  }

  /**
   * Calls back once the terminal has processed everything written so far. A completed write says little, as the system
   * buffers tens of kilobytes for a terminal that does not read. If the terminal has never reported its status, calls
   * back at once.
   */
  acknowledge(processed: () => void): void {
    if (this.#statusAnswered === 0) processed();
    else {
      this.#askStatus();
      this.#acknowledging.push({ answer: this.#statusAsked, processed });
    }
  }

  #askStatus(): void {
    this.#statusAsked += 1;
    this.#write(ASK_STATUS);
  }

  /** A lost reply counts as late: a waiter is called too late rather than too early. */
  #statusSeen(): void {
    this.#statusAnswered = Math.min(this.#statusAnswered + 1, this.#statusAsked);
    const due = this.#acknowledging.filter(({ answer }) => answer <= this.#statusAnswered);
    this.#acknowledging = this.#acknowledging.filter(({ answer }) => answer > this.#statusAnswered);
    for (const { processed } of due) processed();
  }

  /** The first result `read` gets from a reply; undefined once the time is up. */
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

/** The keyboard modes in force: kitty's, and xterm's `modifyOtherKeys`; a terminal without them says nothing. */
const ASK_KEYS = "\u001b[?u\u001b[?4m";
const KEYS_REPLY = /^.\[(?:\?[1-9]\d*u|>4;[12]m)$/;
const KEYS_MS = 1000;

/** Whether the terminal tells Shift+Enter from Enter at this moment, according to itself. */
export async function tellsShiftEnter(replies: TerminalReplies): Promise<boolean> {
  const read = (reply: string) => (KEYS_REPLY.test(reply) ? true : attributesIn(reply) ? false : undefined);
  return (await replies.ask(`${ASK_KEYS}${ASK_ATTRIBUTES}`, read, KEYS_MS)) ?? false;
}

/** Device status report (DSR, ECMA-48), and its reply. */
const ASK_STATUS = "\u001b[5n";
const STATUS_REPLY = /^.\[0n$/;

/** The last of several queries: every terminal replies to it, after those it knows. */
export const ASK_ATTRIBUTES = "\u001b[c";

/** The attributes of a terminal in its reply to that query; undefined if it is another reply. */
export function attributesIn(reply: string): string[] | undefined {
  return /^.\[\?([\d;]*)c$/.exec(reply)?.[1]?.split(";");
}
