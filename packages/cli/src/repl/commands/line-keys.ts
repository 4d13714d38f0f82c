import { textTable } from "../../text/text-table.ts";
import type { LineContext } from "./line-context.ts";

const keyRows = [
  ["Enter", "Send the line, or answer the question"],
  ["\\ and Enter", "Go on with the message in another line; an open ``` does the same until it is closed"],
  ["Ctrl+C", "Stop the turn; at rest empty the line; twice: leave"],
  ["Ctrl+D", "Leave, in an empty line"],
];
const editorRows = [
  ["Up, Down", "Messages that you have sent"],
  ["Ctrl+A, Ctrl+E", "Beginning and end of the line"],
  ["Ctrl+W, Ctrl+U", "Delete the word, or all, before the cursor"],
];

/** Prints the keys of line mode; the window's keys have no effect here. */
export function printKeys({ lines }: LineContext): void {
  const rows = [...keyRows, ...(lines.editsLines ? editorRows : [])];
  const note =
    "Everything else is a command: /help lists them. The keys of the window, and keys.json, do not count in plain lines.";
  lines.print(`${textTable(["KEY", "WHAT IT DOES"], rows, process.stdout.columns)}\n${note}`);
}
