import { needsTerminal } from "@harness/gate";

type Use = NonNullable<ReturnType<typeof needsTerminal>>["use"];

/** Ways to do the work of such programs without a terminal. */
const instead: Readonly<Record<Use, (program: string) => string>> = {
  edits: () =>
    "Use edit or write to change a file and read to see it, or give the program a script (vim -es, ed -s, emacs --batch).",
  browses: () =>
    "Use ls, read and grep, or git and du with options that print (git log --oneline --graph, du -h -d 1).",
  watches: () => "Use a program that prints once: ps aux --sort=-%cpu, top -b -n 1, free -h, df -h.",
  repeats: () => "Run the command itself, or repeat it: for i in 1 2 3; do COMMAND; sleep 2; done.",
  multiplexes: (program) =>
    `Use background: true for what keeps running, or start it detached (${program === "screen" ? "screen -dmS NAME COMMAND" : `${program} new-session -d -s NAME COMMAND`}).`,
  asks: () => "Use question to ask the person.",
};

/** Why a command line is not run, for the model: a program in it would wait for keys. Undefined: none would. */
export function noTerminalText(command: string): string | undefined {
  const found = needsTerminal(command);
  if (!found) return undefined;
  const { program, use } = found;
  return `\`${program}\` needs a terminal, and commands have none, so nothing of this was run. ${instead[use](program)}`;
}
