import { markedText, type ToolOutcome } from "@harness/protocol";
import { cutResult } from "../cut-result.ts";

const MAX_CHARS = 8_000;

/** Tells the model about a command that the user ran. */
export function shellNote(command: string, { text, blocks }: ToolOutcome): string {
  const terminal = blocks.find((block) => block.type === "terminal");
  const output = cutResult(text, MAX_CHARS, terminal?.fullOutputPath);
  return `[The person ran a command of their own:]\n$ ${command}\n${markedText("its output", output)}`;
}
