import { CliError } from "../../process/exit-codes.ts";
import type { LineContext } from "./line-context.ts";

/** Lets the user write the next message in their editor, and asks whether to send it. */
export async function edit({ mode, lines }: LineContext, args: string): Promise<void> {
  let text = args;
  for (;;) {
    const edited = await lines.edit(text);
    if ("problem" in edited) throw new CliError("usage", edited.problem);
    text = edited.text;
    if (text.trim() === "") return lines.print("The text is empty; nothing was sent.");
    lines.print(`${text}\n  y  Send it\n  e  Edit it again\n  n  Drop it`);
    const answer = await askToSend(lines);
    if (answer === "n") return lines.print("Not sent.");
    if (answer === "y") return await mode.send(text);
  }
}

async function askToSend(lines: LineContext["lines"]): Promise<"y" | "e" | "n"> {
  for (;;) {
    const answer = ((await lines.line("send> ")) ?? "n").trim().toLowerCase();
    if (answer === "y" || answer === "e" || answer === "n") return answer;
    lines.print("Answer with y, e or n; nothing was sent.");
  }
}
