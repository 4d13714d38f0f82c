/** Signals by which programs end, in words for people. */
const meanings: Readonly<Record<string, string>> = {
  SIGHUP: "its terminal was closed",
  SIGINT: "it was interrupted",
  SIGQUIT: "it was asked to end with a core dump",
  SIGILL: "it ran an instruction that this processor does not have",
  SIGTRAP: "it ran into a breakpoint without a debugger",
  SIGABRT: "it gave up by itself, as after a failed assertion",
  SIGBUS: "it used memory that is not there, as of a file that has become shorter",
  SIGFPE: "an arithmetic error, such as a division by zero",
  SIGKILL: "it was stopped by force, often because memory ran out",
  SIGSEGV: "it crashed: it used memory that is not its own",
  SIGPIPE: "the program that read its output had ended",
  SIGALRM: "a timer of its own ran out",
  SIGTERM: "it was asked to end",
  SIGXCPU: "it used more processor time than its limit",
  SIGXFSZ: "a file grew past the limit",
  SIGSYS: "it made a system call that is not allowed",
};

/** A shell adds the number of the signal that ended a program. */
const BY_SIGNAL = 128;
/** Numbers that Linux and macOS share. */
const numbers: Readonly<Record<number, string>> = {
  1: "SIGHUP",
  2: "SIGINT",
  3: "SIGQUIT",
  4: "SIGILL",
  5: "SIGTRAP",
  6: "SIGABRT",
  8: "SIGFPE",
  9: "SIGKILL",
  11: "SIGSEGV",
  13: "SIGPIPE",
  14: "SIGALRM",
  15: "SIGTERM",
  24: "SIGXCPU",
  25: "SIGXFSZ",
};

/** `SIGKILL (it was stopped by force, often because memory ran out)`; a signal without a common meaning is its name. */
export function signalInWords(signal: string): string {
  const meaning = Object.hasOwn(meanings, signal) ? meanings[signal] : undefined;
  return meaning === undefined ? signal : `${signal} (${meaning})`;
}

/** The signal that an exit code of a shell stands for; undefined: none, or one that systems number differently. */
export function signalOfExitCode(code: number): string | undefined {
  return numbers[code - BY_SIGNAL];
}

/** `1`, or `137 (SIGKILL: it was stopped by force, often because memory ran out)`. */
export function exitCodeInWords(code: number): string {
  const signal = signalOfExitCode(code);
  return signal === undefined ? String(code) : `${code} (${signal}: ${meanings[signal]})`;
}
