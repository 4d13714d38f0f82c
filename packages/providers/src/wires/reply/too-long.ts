/** As sent, with the framing of each piece. No genuine reply is larger. */
export const MAX_REPLY_BYTES = 256 * 1024 * 1024;
/** Text, thinking and arguments of one reply: about two million tokens. All of it is held, stored and sent on. */
export const MAX_REPLY_TEXT = 8 * 1024 * 1024;

/** A server or a program sent more than harness accepts. `what` completes "It sent …". */
export class TooLongError extends Error {
  constructor(what: string, maxBytes: number) {
    super(`${what} of more than ${maxBytes / 1024 / 1024} MB`);
  }
}
