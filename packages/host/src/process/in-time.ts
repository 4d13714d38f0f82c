/** No request to a model waits longer for a program that only informs it. */
export const PATIENCE_MS = 1_000;

/**
 * The answer of a program if it comes in time; otherwise `late`, while the program goes on by itself. For programs that
 * a message can do without at first: git, a tool that describes itself. Rejects as `answer` does.
 */
export function inTime<Answer, Late>(answer: Promise<Answer>, late: Late, patienceMs: number): Promise<Answer | Late> {
  const { promise: patience, resolve } = Promise.withResolvers<Late>();
  const timer = setTimeout(() => resolve(late), patienceMs);
  return Promise.race([answer.finally(() => clearTimeout(timer)), patience]);
}
