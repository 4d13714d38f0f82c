import { visibleText } from "@harness/protocol";
import { CliError } from "../../process/exit-codes.ts";
import type { SubcommandHandler } from "../run-subcommand.ts";

/** `harness mcp add NAME [--url URL | -- COMMAND ARGS]`: adds a server, for the user or for the project. */
export const mcpAddSubcommand: SubcommandHandler = async ({ client, line, cwd, say, note }) => {
  const [name, command, ...args] = line.positionals;
  const url = line.value("url");
  if (name === undefined || (url === undefined) === (command === undefined))
    throw new CliError("usage", "Write harness mcp add NAME -- COMMAND ARGS, or harness mcp add NAME --url URL.");
  const { path } = await client.call("mcp/add", {
    cwd,
    scope: line.has("project") ? "project" : "user",
    name,
    ...(command === undefined ? {} : { command, args }),
    ...(url === undefined ? {} : { url }),
    ...pairs("env", line.values("env"), "="),
    ...pairs("headers", line.values("header"), ":"),
  });
  say(`Added to ${visibleText(path)}. Try it: harness mcp test ${visibleText(name)}`);
  if (line.has("project")) note("harness: it starts once the folder is trusted: harness trust");
  return "done";
};

/** `harness mcp rm NAME`. */
export const mcpRemoveSubcommand: SubcommandHandler = async ({ client, line, cwd, say }) => {
  const [name = ""] = line.positionals;
  const scope = line.has("project") ? "project" : "user";
  const { path } = await client.call("mcp/remove", { cwd, scope, name });
  say(`Removed from ${visibleText(path)}.`);
  return "done";
};

/** `harness mcp login NAME`: the server waits for the user to log in with a browser. */
export const mcpLoginSubcommand: SubcommandHandler = async ({ client, line, cwd, say, note, notices }) => {
  const [name = ""] = line.positionals;
  notices["mcp/login_address"] = ({ url }) => note(`Open this in a browser and log in there:\n${visibleText(url)}`);
  const server = await client.call("mcp/login", { cwd, name });
  if (server.state !== "ready") throw new CliError("config", server.problem ?? `${name} is ${server.state}.`);
  say(`${visibleText(server.name)} is ready, with ${server.tools.length} tools.`);
  return "done";
};

/** `NAME=VALUE` or `Name: value`, as a record. */
function pairs<K extends "env" | "headers">(
  key: K,
  words: readonly string[],
  sign: "=" | ":",
): { [P in K]?: Record<string, string> } {
  if (words.length === 0) return {};
  const entries = words.map((each) => {
    const at = each.indexOf(sign);
    if (at < 1) throw new CliError("usage", `${each} has no ${sign}: write NAME${sign}VALUE.`);
    return [each.slice(0, at).trim(), each.slice(at + 1).trim()];
  });
  return { [key]: Object.fromEntries(entries) } as { [P in K]?: Record<string, string> };
}
