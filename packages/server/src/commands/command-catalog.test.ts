import { describe, expect, it } from "vitest";
import { CommandCatalog } from "./command-catalog.ts";
import { commandsCommand } from "./commands.ts";
import { broughtNames, builtInCommands, serverCommands } from "./index.ts";
import type {
  CommandScope,
  CommandSource,
  ListedCommand,
  ServerCommand,
  ServerCommandContext,
} from "./server-command.ts";

function source(owner: "person" | "project", names: readonly string[], unused: CommandSource["unused"] = () => []) {
  const views: ListedCommand[] = names.map((name) => ({
    name,
    description: `Does ${name}.`,
    needsSession: false,
    origin: { kind: "markdown", owner, from: `/${owner}/${name}.md` },
  }));
  const command: ServerCommand = { description: "", needsSession: false, run: () => owner };
  const found: CommandSource = {
    list: () => Promise.resolve(views),
    find: (name) => Promise.resolve(names.some((each) => each.toLowerCase() === name) ? command : undefined),
    unused,
  };
  return found;
}

const own = source("person", ["Review", "audit"]);
const theirs = source("project", ["review", "deploy"], () => [
  { name: "evil", from: "/project/evil.md", problem: "/project/evil.md is not used: its folder is not trusted." },
]);
/** None of these sources uses its workspace. */
const scope = {} as CommandScope;
const catalog = new CommandCatalog([builtInCommands, own, theirs]);

describe("commands of several sources", () => {
  it("count once per name, those of the earlier source, which name what they take the place of", async () => {
    const { commands } = await catalog.list(scope);
    const brought = commands.filter(({ origin, shadows }) => origin || shadows);
    expect(brought.map(({ name, shadows }) => [name, shadows])).toEqual([
      ["audit", ["/person/audit.md"]],
      ["Review", ["/project/review.md"]],
      ["deploy", undefined],
    ]);
  });

  it("are found whatever their case", async () => {
    const run = async (name: string) => {
      const command = await catalog.need(name, scope);
      return command.needsSession ? "" : command.run({} as ServerCommandContext, "");
    };
    expect(await run("REVIEW")).toBe("person");
    expect(await run("deploy")).toBe("project");
  });

  it("have the names that other agents call them by, unless another command has one of these", async () => {
    const listed = async (...sources: CommandSource[]) => {
      const { commands } = await new CommandCatalog(sources).list(scope, "ls");
      return commands.flatMap(({ name, aliases }) => (["files", "ls"].includes(name) ? [{ name, aliases }] : []));
    };
    expect(await listed(builtInCommands, broughtNames)).toEqual([{ name: "files", aliases: ["ls"] }]);
    const mine = source("person", ["ls"]);
    expect(await listed(builtInCommands, mine, broughtNames)).toEqual([{ name: "files" }, { name: "ls" }]);
    const found = async (...sources: CommandSource[]) => await new CommandCatalog(sources).need("LS", scope);
    expect(await found(builtInCommands, broughtNames)).toBe(serverCommands.files);
    expect(await found(builtInCommands, mine, broughtNames)).toMatchObject({ needsSession: false });
  });

  it("that only a longer name means are in the list when that is asked for", async () => {
    const longer: CommandSource = { ...own, find: (name) => own.find(name.replace("user:", ""), scope) };
    const names = async (typed?: string) =>
      (await new CommandCatalog([builtInCommands, longer]).list(scope, typed)).commands.map(({ name }) => name);
    expect(await names()).not.toContain("user:audit");
    expect(await names("User:Audit")).toContain("user:audit");
    expect(await names("review")).toEqual(await names());
    expect(await names("nonsense")).toEqual(await names());
  });

  it("that are not there are refused with what there is; those that are not used, with why", async () => {
    await expect(catalog.need("toString", scope)).rejects.toThrow(/^There is no command \/toString\. .*\/deploy\.$/);
    await expect(catalog.need("evil", scope)).rejects.toThrow(
      "/evil cannot be run. /project/evil.md is not used: its folder is not trusted.",
    );
  });

  it("are listed by /commands with who brings them along", async () => {
    const context = { listing: () => catalog.list(scope) } as ServerCommandContext;
    if (commandsCommand.needsSession) throw new Error("/commands needs no session.");
    const text = await commandsCommand.run(context, "");
    expect(String(text).split("\n").slice(1)).toEqual([
      "/audit is built in. /person/audit.md has the longer name: /user:audit if it is yours, /project:audit if it is the project's.",
      "Yours:",
      "/Review  Does Review.",
      "    /person/Review.md",
      "    replaces /project/review.md",
      "From this project:",
      "/deploy  Does deploy.",
      "    /project/deploy.md",
      "Not used:",
      "/evil: /project/evil.md is not used: its folder is not trusted.",
    ]);
  });
});
