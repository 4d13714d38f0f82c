import type { McpCompletion, McpServerView } from "@harness/mcp";
import type { Result, ServerMethods } from "@harness/protocol";
import type { McpServers } from "./mcp-servers.ts";
import { promptArguments } from "./prompt-arguments.ts";

type Items = Result<ServerMethods, "mcp/complete">["items"];
type Complete = (server: string, request: McpCompletion) => Promise<readonly string[]>;

const MAX_ITEMS = 50;
/** Arguments, quoted if they contain blanks, and the one being typed. */
const TYPED = /^((?:(?:"[^"]*"|[^\s"])+\s+)*)((?:[^\s"]*=)?(?:"[^"]*|[^\s"]*))$/;

/** Completions from the running servers of a folder. `complete` asks one of them. */
export async function completeMcp(
  folder: Pick<McpServers, "entries">,
  { command, typed, mention }: { command?: string | undefined; typed: string; mention?: string | undefined },
  complete: Complete,
): Promise<Items> {
  const views = folder.entries.flatMap(({ view }) => (view.state === "ready" ? [view] : []));
  const items = [
    ...(command === undefined ? [] : await argumentItems(views, { command, typed }, complete)),
    ...(mention === undefined ? [] : await resourceItems(views, mention, complete)),
  ];
  return items.slice(0, MAX_ITEMS);
}

async function argumentItems(
  views: readonly McpServerView[],
  { command, typed }: { command: string; typed: string },
  complete: Complete,
): Promise<Items> {
  const name = command.toLowerCase();
  const found = views
    .flatMap(({ name: server, prompts }) => prompts.map((prompt) => ({ server, prompt })))
    .find(({ server, prompt }) => `mcp:${server}:${prompt.name}`.replace(/\s+/g, "_").toLowerCase() === name);
  if (!found) return [];
  const { server, prompt } = found;
  const words = TYPED.exec(typed.trimStart());
  if (!words) return [];
  const [, earlier = "", word = ""] = words;
  const args = promptArguments(
    prompt.arguments.map((each) => ({ name: each.name, required: false })),
    earlier,
  );
  const others = "values" in args ? args.values : {};
  const [, named = ""] = /^([^=\s"]+)=/.exec(word) ?? [];
  const open = prompt.arguments.filter((each) => !Object.hasOwn(others, each.name));
  const isNamed = open.some((each) => each.name === named);
  const argument = isNamed ? named : open[0]?.name;
  if (argument === undefined) return [];
  const value = (isNamed ? word.slice(named.length + 1) : word).replace(/^"/, "");
  const values = await complete(server, { prompt: prompt.name, argument, value, others });
  return values
    .filter((each) => !/["\n]/.test(each))
    .map((each) => ({
      text: `${isNamed ? `${named}=` : ""}${/\s/.test(each) ? `"${each}"` : each}`,
      description: argument,
    }));
}

async function resourceItems(views: readonly McpServerView[], mention: string, complete: Complete): Promise<Items> {
  const [server = "", ...rest] = mention.split(":");
  const having = views.filter(({ resources, templates }) => resources.length + templates.length > 0);
  if (rest.length === 0)
    return having
      .filter(({ name }) => name.toLowerCase().startsWith(server.toLowerCase()))
      .map(({ name }) => ({ text: `${name}:`, description: `MCP server ${name}` }));
  const view = having.find(({ name }) => name === server);
  if (!view) return [];
  const wanted = rest.join(":");
  const listed = view.resources
    .filter(({ uri, name }) => !/\s/.test(uri) && `${uri} ${name}`.toLowerCase().includes(wanted.toLowerCase()))
    .map(({ uri, name, description }) => ({ text: `${server}:${uri}`, description: description || name }));
  const made = await Promise.all(view.templates.map((each) => templateItems(server, each, wanted, complete)));
  return [...listed, ...made.flat()];
}

/** Addresses of a template with one variable, once everything before it is typed. */
async function templateItems(
  server: string,
  { uriTemplate, name }: McpServerView["templates"][number],
  wanted: string,
  complete: Complete,
): Promise<Items> {
  const [, before = "", argument = "", after = ""] = /^([^{}]*)\{(\w+)\}([^{}]*)$/.exec(uriTemplate) ?? [];
  if (argument === "" || !wanted.startsWith(before)) return [];
  const values = await complete(server, {
    template: uriTemplate,
    argument,
    value: wanted.slice(before.length),
    others: {},
  });
  return values.map((value) => ({ text: `${server}:${before}${value}${after}`, description: name }));
}
