import type { CommandListing, ListedCommand, ServerCommand } from "./server-command.ts";

type Origin = NonNullable<ListedCommand["origin"]>;

const KINDS: Readonly<Record<Origin["kind"], string>> = {
  markdown: "",
  skill: "skill, ",
  program: "program, ",
  mcp: "MCP server ",
};

export const commandsCommand: ServerCommand = {
  description: "List the slash commands: where each comes from, and what it replaces.",
  needsSession: false,
  async run({ listing }) {
    return commandList(await listing());
  },
};

function commandList({ commands, unused }: CommandListing): string {
  const builtIn = commands.filter(({ origin }) => !origin);
  const brought = commands.filter(({ origin }) => origin);
  const hidden = builtIn.filter(({ shadows = [] }) => shadows.length > 0);
  return [
    `Built in: ${builtIn.map(({ name }) => `/${name}`).join(", ")}`,
    ...hidden.flatMap(({ name, shadows = [] }) =>
      shadows.map(
        (each) =>
          `/${name} is built in. ${each} has the longer name: /user:${name} if it is yours, /project:${name} if it is the project's.`,
      ),
    ),
    ...groupOf("Yours:", brought, "person"),
    ...groupOf("From this project:", brought, "project"),
    ...(unused.length === 0 ? [] : ["Not used:", ...unused.map(({ name, problem }) => `/${name}: ${problem}`)]),
  ].join("\n");
}

function groupOf(title: string, commands: readonly ListedCommand[], owner: Origin["owner"]): string[] {
  const own = commands.filter(({ origin }) => origin?.owner === owner);
  return own.length === 0 ? [] : [title, ...own.flatMap(linesOf)];
}

function linesOf({ name, description, argumentHint, origin, shadows = [] }: ListedCommand): string[] {
  const hint = argumentHint === undefined ? "" : ` ${argumentHint}`;
  const place = origin ? [`    ${KINDS[origin.kind]}${origin.from}`] : [];
  return [`/${name}${hint}  ${description}`, ...place, ...shadows.map((each) => `    replaces ${each}`)];
}
