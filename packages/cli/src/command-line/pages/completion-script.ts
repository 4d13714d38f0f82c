import { CliError } from "../../process/exit-codes.ts";
import { closestName } from "../closest-name.ts";
import { bashCompletion } from "./bash-completion.ts";
import { type Completions, completions, shellNames } from "./completions.ts";
import { fishCompletion } from "./fish-completion.ts";
import { zshCompletion } from "./zsh-completion.ts";

const scripts: Record<(typeof shellNames)[number], (offers: Completions) => string> = {
  bash: bashCompletion,
  zsh: zshCompletion,
  fish: fishCompletion,
};

/** The script of `harness completion SHELL`. */
export function completionScript(shell: string): string {
  const name = shellNames.find((each) => each === shell);
  if (name) return scripts[name](completions());
  const meant = closestName(shell, shellNames);
  throw new CliError(
    "usage",
    `Usage: harness completion ${shellNames.join("|")}, not "${shell}".${meant ? ` Did you mean ${meant}?` : ""}`,
  );
}
