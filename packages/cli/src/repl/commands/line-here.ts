import { sessionFacts } from "@harness/client/actions";
import { themeNames } from "@harness/protocol/choices";
import { VERSION } from "@harness/protocol/version";
import { closestName } from "../../command-line/closest-name.ts";
import { CliError } from "../../process/exit-codes.ts";
import { textTable } from "../../text/text-table.ts";
import type { LinePlace } from "./line-place.ts";

/** Model, context window, permissions, folder and changes of the session. */
export async function status({ mode, lines, cwd }: LinePlace): Promise<void> {
  const { id: sessionId, place } = mode.session;
  const [hud, session] = await Promise.all([mode.client.call("hud/get", place), mode.stored()]);
  const [first = [], ...facts] = sessionFacts({
    ...{ version: VERSION, cwd, sessionId, title: session?.title, hud },
    permissionMode: hud.permissionMode ?? "default",
    agentMode: hud.mode,
    modeHint: "/permission-mode changes it.",
  });
  lines.print(textTable(first, facts, process.stdout.columns));
}

/** The colours of the window: plain lines have none. */
export async function theme({ mode, lines }: LinePlace, args: string): Promise<void> {
  const name = themeNames.find((each) => each === args.toLowerCase());
  if (args === "")
    return lines.print(
      `Usage: /theme NAME, for the window; plain lines have no colours. Themes: ${themeNames.join(", ")}.`,
    );
  if (!name) {
    const meant = closestName(args, themeNames);
    throw new CliError(
      "usage",
      `There is no theme ${args}.${meant ? ` Did you mean ${meant}?` : " /theme lists them."}`,
    );
  }
  await mode.client.call("settings/set", { edits: [{ key: "theme", value: name }] });
  lines.print(`The theme of the window is now ${name}; plain lines have no colours.`);
}

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

/** The keys of plain lines; the window's keys do nothing here. */
export async function keys({ lines }: LinePlace): Promise<void> {
  const rows = [...keyRows, ...(lines.editsLines ? editorRows : [])];
  const note =
    "Everything else is a command: /help lists them. The keys of the window, and keys.json, do not count in plain lines.";
  lines.print(`${textTable(["KEY", "WHAT IT DOES"], rows, process.stdout.columns)}\n${note}`);
}
