import type { NoticeListeners } from "@harness/client";
import { CliError } from "../../process/exit-codes.ts";
import type { LineMode } from "../line-mode.ts";
import type { Lines } from "../lines.ts";

/** The surroundings of a command in line mode. */
export type LinePlace = { mode: LineMode; lines: Lines; cwd: string; notices: NoticeListeners };

export type LineCommand = {
  usage: string;
  doc: string;
  aliases?: readonly string[];
  /** It also works while a turn runs. */
  whileBusy?: boolean;
  run(place: LinePlace, args: string): Promise<void>;
};

/** The argument; throws a `CliError` with the usage where there is none. */
export function needArgument(args: string, usage: string): string {
  if (args === "") throw new CliError("usage", `Usage: ${usage}`);
  return args;
}
