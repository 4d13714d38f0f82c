import { exitCodes } from "../process/exit-codes.ts";
import { wrapped } from "../text/text-table.ts";
import { type FlagName, flagRow, flags } from "./flags.ts";
import { subcommands } from "./subcommand-rows.ts";

const WIDTH = 80;
const LEFT = 28;

/** The text of `harness help` for terminals of 80 columns, generated from the tables. */
export function helpText(): string {
  const sections = [
    ...wrapped("harness: a terminal coding agent for models that run on your own machine, and for any other.", WIDTH),
    "",
    ...Object.values(subcommands).flatMap(({ usage, doc }) => row(usage, doc)),
  ];
  for (const [title, names] of flagGroups()) {
    sections.push("", ...wrapped(`${title}:`, WIDTH), ...names.flatMap((name) => row(flagUsage(name), docOf(name))));
  }
  sections.push("", "Exit codes:");
  for (const { code, doc } of Object.values(exitCodes)) sections.push(...row(String(code), doc, 7));
  return `${sections.join("\n")}\n`;
}

/** Flags grouped by the subcommands that accept them, each group under a title. */
function flagGroups(): Map<string, FlagName[]> {
  const groups = new Map<string, FlagName[]>();
  for (const name of Object.keys(flags) as FlagName[]) {
    const { in: homes } = flagRow(name);
    const spoken = homes.map((home) => (home === "window" ? "the window" : `harness ${home}`));
    const isEverywhere = homes === flagRow("help").in;
    const title = isEverywhere
      ? "Flags of every command"
      : `Flags of ${spoken.join(", ").replace(/, (?=[^,]*$)/, " and ")}`;
    groups.set(title, [...(groups.get(title) ?? []), name]);
  }
  return groups;
}

function flagUsage(name: FlagName): string {
  const { short, value } = flagRow(name);
  return `${short ? `-${short}, ` : "    "}--${name}${value ? ` ${value}` : ""}`;
}

function docOf(name: FlagName): string {
  const { choices, doc, value } = flagRow(name);
  return choices ? `${doc} ${value}: ${choices.join(", ")}.` : doc;
}

/** Two columns; a left part that is too long gets its own line. */
function row(left: string, doc: string, column = LEFT): string[] {
  const [first = "", ...rest] = wrapped(doc, WIDTH - column);
  const indent = " ".repeat(column);
  const head = `  ${left}`;
  const lines = head.length < column - 1 ? [head.padEnd(column) + first] : [head, indent + first];
  return [...lines, ...rest.map((line) => indent + line)];
}
