import { exitCodes } from "../../process/exit-codes.ts";
import { examples } from "../examples.ts";
import { flagDoc, flagGroups, flagUsage } from "../flag-lines.ts";
import { type Subcommand, subcommandRow, subcommands } from "../subcommand-rows.ts";

/** The manual page in roff (https://man.openbsd.org/man.7), generated from the same tables as help. */
export function manualPage(version: string): string {
  return `${[
    `.TH HARNESS 1 "" "harness ${version}" "User Commands"`,
    ".SH NAME",
    "harness \\- a terminal coding agent",
    ".SH SYNOPSIS",
    ".B harness",
    text("[FLAGS] [PROMPT]"),
    ".br",
    ".B harness",
    text("COMMAND [FLAGS] [ARGUMENTS]"),
    ".SH DESCRIPTION",
    text(
      "harness works on the files of a folder with a local or hosted model. Without a command it opens a window in the terminal; a prompt is sent at once. To send a message that begins with a command's name: harness -- WORDS.",
    ),
    ".SH COMMANDS",
    ...(Object.keys(subcommands) as Subcommand[]).flatMap(command),
    ".SH FLAGS",
    ...flagGroups().flatMap(([title, names]) => [
      `.SS ${text(title)}`,
      ...names.flatMap((name) => [".TP", `.B ${text(flagUsage(name).trim())}`, text(flagDoc(name))]),
    ]),
    ".SH EXIT STATUS",
    ...Object.values(exitCodes).flatMap(({ code, doc }) => [".TP", `.B ${code}`, text(doc)]),
    ".SH FILES",
    ".TP",
    `.B ${text("~/.config/harness/settings.json")}`,
    text("Settings; in $HARNESS_HOME or $XDG_CONFIG_HOME/harness if set."),
    ".TP",
    `.B ${text(".harness/")}`,
    text("Settings, rules, tools, hooks, commands and agents of a project; used only in trusted folders."),
  ].join("\n")}\n`;
}

function command(name: Subcommand): string[] {
  const { usage, doc } = subcommandRow(name);
  const lines = examples[name].flatMap(([line, what]) => [".br", text(what === "" ? line : `${line}   (${what})`)]);
  return [".TP", `.B ${text(usage)}`, text(doc), ...lines];
}

/** Escapes text so that roff takes nothing in it for a request or an escape. */
function text(plain: string): string {
  const escaped = plain.replaceAll("\\", "\\e").replaceAll("-", "\\-");
  return /^[.']/.test(escaped) ? `\\&${escaped}` : escaped;
}
