import { replaceableCommands, serverCommands } from "@harness/server";
import { commandDocs } from "@harness/tui/docs";
import { table } from "./markdown-table.ts";

const BEGIN = "<!-- commands: made by `npm run docs` -->";
const END = "<!-- end of commands -->";

/** Usage, purpose, and whether `harness run` and other programs have it: the window's own first, then the server's. */
function builtInCommands(): string {
  const ofServer = { ...serverCommands, ...replaceableCommands };
  const shared = new Map(
    Object.entries(ofServer).map(([name, { needsSession }]) => [`/${name}`, needsSession ? "in a session" : "yes"]),
  );
  const nameOf = (usage: string) => usage.split(/[ ,]/)[0] ?? "";
  const own = commandDocs().map(([usage = "", doc = ""]) => [usage, doc, shared.get(nameOf(usage)) ?? "no"]);
  const known = new Set(own.map(([usage = ""]) => nameOf(usage)));
  const others = Object.entries(ofServer).flatMap(([name, { description, argumentHint }]) =>
    known.has(`/${name}`)
      ? []
      : [[`/${name}${argumentHint ? ` ${argumentHint}` : ""}`, description, shared.get(`/${name}`) ?? "no"]],
  );
  return table(["command", "what it does", "in `harness run`"], [...own, ...others]);
}

/** The page of slash commands with the current list of built-in ones. */
export function withCommands(page: string): string {
  const [from, to] = [page.indexOf(BEGIN), page.indexOf(END)];
  if (from < 0 || to < from) throw new Error(`docs/commands.md needs the lines ${BEGIN} and ${END}.`);
  return `${page.slice(0, from + BEGIN.length)}\n\n${builtInCommands()}\n\n${page.slice(to)}`;
}
