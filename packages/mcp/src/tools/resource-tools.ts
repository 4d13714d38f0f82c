import { defineTool, type Tool } from "@harness/core";
import { fencedText, plainLine } from "@harness/host";
import * as z from "zod";
import type { McpServerConfig } from "../config/server-config.ts";
import type { McpPool } from "../pool/mcp-pool.ts";
import type { McpServerView } from "../pool/server-view.ts";
import { resourceOutcome } from "../results/resource-outcome.ts";
import { mcpEffect } from "./mcp-effect.ts";
import { type FitPicture, shownOutcome } from "./shown-outcome.ts";

/** The name for reading resources in rules: `mcp(server/resources/read)`. */
const READING = "resources/read";
const MAX_LISTED = 200;
const MAX_LINE = 300;

export type ResourceUse = {
  pool: Pick<McpPool, "readResource">;
  /** How to reach a server; undefined: none has this name. */
  configOf(server: string): McpServerConfig | undefined;
  /** The current servers. */
  servers(): readonly McpServerView[];
  fitPicture: FitPicture;
};

/** Tools that list and read the resources of all servers. */
export function resourceTools(use: ResourceUse): Tool[] {
  return [listTool(use), readTool(use)];
}

function listTool({ servers }: ResourceUse): Tool {
  return defineTool({
    name: "list_mcp_resources",
    description: "Lists the resources of MCP servers.",
    args: z.strictObject({ server: z.string().optional().describe("Only of this server") }),
    category: "readOnly",
    offer: "any-room",
    effects: () => [],
    title: ({ server }) => plainLine(`list MCP resources ${server ?? ""}`, MAX_LINE),
    async run({ server }) {
      const lines = servers()
        .filter(({ name }) => server === undefined || name === server)
        .flatMap(resourceLines);
      const more = lines.length > MAX_LISTED ? [`… and ${lines.length - MAX_LISTED} more`] : [];
      const text = [...lines.slice(0, MAX_LISTED), ...more].join("\n");
      if (text === "")
        return { status: "ok", text: "There are none.", blocks: [{ type: "text", text: "There are none." }] };
      return { status: "ok", text: fencedText("Resources of MCP servers", text), blocks: [{ type: "text", text }] };
    },
  });
}

function resourceLines({ name, resources, templates }: McpServerView): string[] {
  const line = (
    address: string,
    { name: title, mimeType = "", description }: Omit<McpServerView["resources"][number], "uri">,
  ) =>
    plainLine(
      `${name} ${address} ${title}${mimeType && `, ${mimeType}`}${description && `: ${description}`}`,
      MAX_LINE,
    );
  return [...resources.map((each) => line(each.uri, each)), ...templates.map((each) => line(each.uriTemplate, each))];
}

function readTool({ pool, fitPicture, configOf }: ResourceUse): Tool {
  return defineTool({
    name: "read_mcp_resource",
    description: "Reads a resource of an MCP server.",
    args: z.strictObject({ server: z.string(), uri: z.string() }),
    category: "readOnly",
    subject: "mcp",
    offer: "any-room",
    effects: ({ server }) => [mcpEffect(configOf(server) ?? { name: server, from: "" }, READING)],
    title: ({ server, uri }) => plainLine(`read ${server}:${uri}`, MAX_LINE),
    preview: async ({ server, uri }) => [{ type: "text", text: `${server}:${uri}` }],
    async run({ server, uri }, { signal }) {
      const outcome = resourceOutcome(await pool.readResource(server, uri, { signal }));
      return shownOutcome(outcome, { origin: `Resource ${server}:${uri}`, fitPicture, signal });
    },
  });
}
