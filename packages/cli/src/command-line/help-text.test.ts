import { describe, expect, it } from "vitest";
import { CliError, exitCodes } from "../process/exit-codes.ts";
import { readCommandLine } from "./command-line.ts";
import { examples } from "./examples.ts";
import { type FlagName, flagRow, flags } from "./flags.ts";
import { helpText } from "./help-text.ts";
import { overview } from "./overview.ts";
import { families, type Subcommand, subcommandRow, subcommands } from "./subcommand-rows.ts";

const commands = (Object.keys(subcommands) as Subcommand[]).filter((name) => name !== "window");
const topics = ["", "flags", "exit-codes", ...commands, ...Object.keys(families)];
const flagNames = Object.keys(flags) as FlagName[];

function wordsOf(topic: string): string {
  return helpText(topic.split(" ")).replace(/\s+/g, " ");
}

describe("the help", () => {
  it.each(topics)("about %j fits a terminal of 80 columns", (topic) => {
    const long = helpText(topic.split(" ")).split("\n");
    // Examples must be complete enough to copy.
    expect(
      long.filter((line) => (line.length > 80 && !line.startsWith("  harness")) || line !== line.trimEnd()),
    ).toEqual([]);
  });

  it("without a topic shows the usage, every command, and where there is more", () => {
    const text = wordsOf("");
    expect(text).toContain("Usage: harness [FLAGS] [PROMPT]");
    const listed = overview.flatMap(([, lines]) => lines);
    for (const [name, summary] of listed) expect(text).toContain(` ${name} ${summary}`);
    const first = new Set(commands.map((name) => name.split(" ")[0] ?? "").filter((name) => name !== "agent"));
    expect(listed.map(([name]) => name).sort()).toEqual([...first].sort());
    expect(text).toContain("harness COMMAND --help · harness help flags");
    expect(helpText().split("\n").length).toBeLessThanOrEqual(80);
  });

  it.each(commands)("about harness %s has its usage, its examples and exactly its flags", (name) => {
    const text = wordsOf(name);
    expect(text).toContain(`Usage: ${subcommandRow(name).usage}`);
    for (const [line] of examples[name]) expect(text).toContain(line);
    const shown = [...helpText(name.split(" ")).matchAll(/^ {2}(?:-\w, | {4})--(\S+)/gm)].map(([, flag]) => flag);
    expect(shown.sort()).toEqual(flagNames.filter((flag) => flagRow(flag).in.includes(name)).sort());
  });

  it("about flags has every flag with its values and its default", () => {
    const text = wordsOf("flags");
    for (const name of flagNames) {
      const { doc, choices, fallback } = flagRow(name);
      expect(text).toContain(` --${name} `);
      expect(text).toContain(doc);
      if (choices) expect(text).toContain(`: ${choices.join(", ")}.`);
      if (fallback) expect(text).toContain(`Default: ${fallback}.`);
    }
  });

  it("about exit codes has each code", () => {
    const text = wordsOf("exit-codes");
    for (const { code, doc } of Object.values(exitCodes)) expect(text).toContain(`${code} ${doc}`);
  });

  it("about something else says what was probably meant", () => {
    expect(() => helpText(["rnu"])).toThrow(CliError);
    expect(() => helpText(["rnu"])).toThrow('There is no help about "rnu". Did you mean harness help run?');
    expect(() => helpText(["weather"])).toThrow("harness help lists the commands.");
  });
});

describe("an example", () => {
  it.each(Object.entries(examples))("of %s is a command line that is read as it", (name, lines) => {
    for (const [line] of lines) {
      const [, typed = ""] = /(?:^|\| )harness ?([^|>]*)/.exec(line) ?? [];
      const args = [...typed.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(([, a, b, c]) => a ?? b ?? c ?? "");
      expect([line, readCommandLine(args).subcommand]).toEqual([line, name]);
    }
  });
});
