import { CliError } from "../process/exit-codes.ts";
import type { CommandLine } from "./command-line.ts";
import { subcommandRow } from "./subcommand-rows.ts";

/** `harness session resume ID` as `harness -r ID`, and `harness session fork ID` as `harness -r ID --fork`. */
export function openingLine(line: CommandLine, { isFork }: { isFork: boolean }): CommandLine {
  const [id = "", ...positionals] = line.positionals;
  if (id.trim() === "") throw new CliError("usage", `Missing argument: ${subcommandRow(line.subcommand).usage}.`);
  return sessionLine(line, id, { isFork, positionals });
}

/** The same line as one that opens the window on a session. */
export function sessionLine(
  line: CommandLine,
  id: string,
  { isFork = false, positionals = [] }: { isFork?: boolean; positionals?: string[] } = {},
): CommandLine {
  return {
    subcommand: "window",
    positionals,
    has: (flag) => flag === "resume" || (flag === "fork" && isFork) || line.has(flag),
    value: (flag) => (flag === "resume" ? id : line.value(flag)),
    values: (flag) => line.values(flag),
  };
}
