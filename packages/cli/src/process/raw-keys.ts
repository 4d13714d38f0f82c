/** How to ask the user on the terminal. */
export type TerminalQuestion = {
  question: string;
  /** Aborts when the answer is no longer wanted. */
  signal: AbortSignal;
  /** Called for Ctrl+C, which sends no signal in raw mode. */
  interrupt(): void;
};

/**
 * Reads keys of the terminal without echo until `take` has an answer. `gone`: the answer if the terminal was closed or
 * the question is withdrawn. The terminal is restored in every case.
 */
export async function rawKeys<T>(
  signal: AbortSignal,
  gone: T,
  take: (bytes: Buffer) => { answer: T } | undefined,
): Promise<T> {
  const { stdin } = process;
  const { promise, resolve } = Promise.withResolvers<T>();
  const onData = (bytes: Buffer): void => {
    const taken = take(bytes);
    if (taken) resolve(taken.answer);
  };
  const onGone = (): void => resolve(gone);
  stdin.setRawMode(true);
  stdin.on("data", onData);
  stdin.once("end", onGone);
  signal.addEventListener("abort", onGone, { once: true });
  stdin.resume();
  try {
    return await promise;
  } finally {
    stdin.off("data", onData);
    stdin.off("end", onGone);
    signal.removeEventListener("abort", onGone);
    stdin.setRawMode(false);
    stdin.pause();
  }
}
