import type { Content } from "@harness/protocol";
import type { CommandLine } from "../command-line/command-line.ts";
import { CliError } from "../process/exit-codes.ts";
import { promptContent } from "./prompt-content.ts";
import type { RunRequest } from "./run-request.ts";
import { readStdin } from "./stdin-text.ts";

/** The prompt of the command line, with its files, its images and stdin; undefined: prompts come as lines of stdin. */
export async function firstPrompt(
  line: CommandLine,
  request: RunRequest,
  say: (text: string) => void,
): Promise<Content[] | undefined> {
  if (request.streamInput) return undefined;
  const files = line.values("file");
  const takesStdin = line.positionals.includes("-");
  const words = line.positionals.filter((word) => word !== "-").join(" ");
  // An empty variable in the prompt must not turn piped input into instructions.
  if (!takesStdin && line.positionals.length > 0 && words.trim() === "")
    throw new CliError("usage", "The prompt is blank. Leave it out to read it from stdin.");
  const isExtra = !takesStdin && (words !== "" || files.length > 0);
  const stdin = await readStdin({ isExtra, warn: say });
  return promptContent({ words, stdin, files, images: line.values("image"), cwd: request.cwd });
}
