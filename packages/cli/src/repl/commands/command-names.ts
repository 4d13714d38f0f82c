import { commandsOf } from "@harness/client/commands";
import type { LineContext } from "./line-context.ts";

/** A slash and the beginning of a name: text after a name is not completed. */
const BEGUN = /^\/\S*$/;

/** The commands that begin like this line, including the user's own. */
export async function commandNames({ mode }: LineContext, line: string): Promise<string[]> {
  if (!BEGUN.test(line)) return [];
  const { commands } = await mode.client.call("commands/list", mode.session.place);
  const own = commandsOf("lines").flatMap((each) => each.names);
  const names = new Set([...own, ...commands.map(({ name }) => name)]);
  return [...names].map((name) => `/${name} `).filter((each) => each.startsWith(line));
}
