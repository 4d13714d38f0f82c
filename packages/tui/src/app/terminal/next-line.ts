/** Resolves when a line was typed while the terminal is lent, or its input has ended. */
export function nextLine(): Promise<void> {
  const { stdin } = process;
  return new Promise((resolve) => {
    const done = (): void => {
      stdin.off("data", done).off("end", done).pause();
      resolve();
    };
    stdin.on("data", done).on("end", done).resume();
  });
}
