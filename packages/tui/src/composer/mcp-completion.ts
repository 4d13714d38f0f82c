import type { CallParams, ServerMethods } from "@harness/protocol";
import type { WindowHost } from "../client/window-host.ts";
import type { CompletionItem, CompletionQuery } from "../state/composer.ts";

type CompletionRequest = Pick<CallParams<ServerMethods, "mcp/complete">, "command" | "typed" | "mention">;

/**
 * The MCP servers' completions of a word: servers are not asked if the session has none. Rejects with the server's
 * error.
 */
export async function mcpItems({ server, store }: WindowHost, query: CompletionQuery): Promise<CompletionItem[]> {
  const { session, cwd, hud } = store.get();
  const request = askedOf(query);
  if (!request || (hud?.mcp?.total ?? 0) === 0) return [];
  const place = session ? { sessionId: session.sessionId } : { cwd };
  const { items } = await server.call("mcp/complete", { ...place, ...request });
  const sign = query.kind === "file" ? "@" : "";
  return items.map(({ text, description }) => ({
    label: text,
    detail: description,
    insert: `${sign}${text}${sign !== "" && text.endsWith(":") ? "" : " "}`,
  }));
}

function askedOf(query: CompletionQuery): CompletionRequest | undefined {
  if (query.kind === "file") return { mention: query.query };
  if (query.kind !== "argument" || !query.command.toLowerCase().startsWith("mcp:")) return undefined;
  return { command: query.command, typed: `${query.earlier}${query.query}` };
}
