/** Resolves after so many milliseconds; it keeps no process alive. */
export function after(ms: number): Promise<undefined> {
  return new Promise((resolve) => {
    setTimeout(() => resolve(undefined), ms).unref();
  });
}
