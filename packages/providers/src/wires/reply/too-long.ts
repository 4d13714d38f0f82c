/** No reply that is meant is larger; reading on would fill the memory. */
export const MAX_REPLY_BYTES = 256 * 1024 * 1024;

/** A server or a program sent more than harness takes. `what` completes "It sent …". */
export class TooLong extends Error {
  constructor(what: string, maxBytes: number) {
    super(`${what} of more than ${maxBytes / 1024 / 1024} MB`);
  }
}
