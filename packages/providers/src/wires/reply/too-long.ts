/** As it is sent, with the frame around each piece. No reply that is meant is larger. */
export const MAX_REPLY_BYTES = 256 * 1024 * 1024;
/** Text, thinking and arguments of one reply: some two million tokens. All of it is held, stored and sent on. */
export const MAX_REPLY_TEXT = 8 * 1024 * 1024;

/** A server or a program sent more than harness takes. `what` completes "It sent …". */
export class TooLongError extends Error {
  constructor(what: string, maxBytes: number) {
    super(`${what} of more than ${maxBytes / 1024 / 1024} MB`);
  }
}
