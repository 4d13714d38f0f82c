import { copyToTerminal, editInProgram } from "@harness/client/actions";
import { isDumb } from "../process/plain-terminal.ts";
import { terminalText } from "../text/terminal-text.ts";
import type { LineInput } from "./line-input.ts";
import type { Lines } from "./lines.ts";

/** Plain lines on the user's terminal, or a pipe. `editor`: the value of the setting of that name. */
export function terminalLines(input: LineInput, editor: () => Promise<unknown>): Lines {
  const { stdin, stdout, env } = process;
  const isTerminal = stdin.isTTY === true && stdout.isTTY === true;
  return {
    line: (prompt, ask) => input.line(prompt, ask),
    print: (text) => input.print(terminalText(text)),
    editsLines: input.edits,
    ...(isTerminal && !isDumb(env)
      ? { copy: (text: string) => copyToTerminal(text, { write: (data) => void stdout.write(data), env }) }
      : {}),
    async edit(text) {
      if (!isTerminal) return { problem: "An editor needs a terminal. Send the text as lines." };
      const setting = await editor();
      return await input.lend(() => editInProgram(text, { setting, env }));
    },
  };
}
