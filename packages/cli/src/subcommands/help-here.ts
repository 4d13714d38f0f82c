import type { HarnessClient } from "@harness/client";
import { visibleText } from "@harness/protocol";
import { helpRow } from "../command-line/help-text.ts";
import type { SubcommandHandler } from "./run-subcommand.ts";

type Row = { name: string; doc: string };

/** The user's extensions for a folder, below the overview of `harness help`; nothing if there are none. */
export const helpHere: SubcommandHandler = async ({ client, cwd, say }) => {
  const sections: [title: string, rows: Row[]][] = [
    ["Your own commands", (await ownCommands(client, cwd)).map(({ word, doc }) => ({ name: word, doc }))],
    ["Your own tools", await ownTools(client, cwd)],
    ["Your own providers and the variables they read", await ownProviders(client)],
  ];
  const lines = sections.flatMap(([title, rows]) =>
    rows.length === 0
      ? []
      : ["", `${title}:`, ...rows.flatMap(({ name, doc }) => helpRow(visibleText(name), visibleText(doc)))],
  );
  if (lines.length > 0) say(lines.join("\n"));
  return "done";
};

/** `harness help NAME` for one of the user's own commands. `otherwise`: the text if there is none. */
export function helpAbout(name: string, otherwise: () => string): SubcommandHandler {
  return async ({ client, cwd, say }) => {
    const found = (await ownCommands(client, cwd)).find(({ word }) => word === name);
    if (!found) say(otherwise());
    else
      say(
        [
          `Usage: harness ${name} [ARGUMENTS]`,
          "",
          visibleText(found.doc),
          "",
          `It runs ${visibleText(found.path)}`,
        ].join("\n"),
      );
    return "done";
  };
}

/** A name without special characters for a shell, which expands completions. */
const PLAIN_WORD = /^[\w.-]+$/;

/**
 * `harness completion commands`, called by the completion scripts: the user's own commands, each with its description.
 */
export const commandWords: SubcommandHandler = async ({ client, cwd, say }) => {
  const words = (await ownCommands(client, cwd)).filter(({ word }) => PLAIN_WORD.test(word));
  if (words.length > 0) say(words.map(({ word, doc }) => `${word}\t${visibleText(firstLine(doc))}`).join("\n"));
  return "done";
};

/** Programs that run as `harness NAME`. */
async function ownCommands(client: HarnessClient, cwd: string): Promise<{ word: string; doc: string; path: string }[]> {
  const { commands } = await client.call("commands/list", { cwd });
  return commands.flatMap(({ name, description, origin }) =>
    origin?.kind === "program" ? [{ word: name.replace(/^.*:/, ""), doc: description, path: origin.from }] : [],
  );
}

async function ownTools(client: HarnessClient, cwd: string): Promise<Row[]> {
  const { tools } = await client.call("tools/list", { cwd });
  return tools.flatMap(({ name, description, origin }) => (origin ? [{ name, doc: firstLine(description) }] : []));
}

async function ownProviders(client: HarnessClient): Promise<Row[]> {
  const { providers } = await client.call("providers/list", { brought: true });
  return providers.map(({ id, name, variables = [] }) => {
    const words = variables.length > 0 ? `${name}: ${variables.join(", ")}` : name;
    return { name: id, doc: words };
  });
}

function firstLine(text: string): string {
  return text.split("\n", 1)[0] ?? "";
}
