/** Resources that the system may run out of, in any part of the program, with advice. */
const SHORTAGES: Readonly<Record<string, string>> = {
  EMFILE: "too many files are open. Raise the limit, for example with `ulimit -n 1024`, then try again.",
  ENFILE: "the system has too many open files. Close other programs, then try again.",
  EAGAIN: "the system can start no more programs. Close some, or raise the limit (`ulimit -u`), then try again.",
  ENOMEM: "the system has no memory left. Close other programs, then try again.",
  ENOSPC: "the disk is full. Free some space, then try again.",
};

/** For an unexpected error. */
export function failureText(error: Error): string {
  const known = shortageOf(error);
  if (known === undefined) return `Something went wrong inside harness: ${error.message}`;
  return `harness cannot go on (${error.message}): ${known}`;
}

/** For developers, with the stack. Undefined if the system ran out of a resource, which is not our bug. */
export function bugReport(error: Error): string | undefined {
  return shortageOf(error) === undefined ? `harness: internal error: ${error.stack ?? error.message}` : undefined;
}

function shortageOf(error: Error): string | undefined {
  const code = "code" in error ? String(error.code) : "";
  return Object.hasOwn(SHORTAGES, code) ? SHORTAGES[code] : undefined;
}
