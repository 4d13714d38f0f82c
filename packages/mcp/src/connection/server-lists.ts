import { plainLine } from "@harness/host";
import type { Client } from "@modelcontextprotocol/client";
import type { SoundAnswers } from "../answers/sound-answers.ts";
import { plainError } from "../text/plain-error.ts";

type Json = Readonly<Record<string, unknown>>;

/** A tool as its server describes it, within limits. */
export type McpTool = {
  readonly name: string;
  readonly title?: string;
  readonly description: string;
  readonly inputSchema: Json;
  readonly outputSchema?: Json;
  /** The server's own claims about it, all of them uncertain. */
  readonly annotations: {
    readonly readOnlyHint?: boolean;
    readonly destructiveHint?: boolean;
    readonly idempotentHint?: boolean;
    readonly openWorldHint?: boolean;
  };
};

export type McpPrompt = {
  readonly name: string;
  readonly title?: string;
  readonly description: string;
  /** In typing order. */
  readonly arguments: readonly { name: string; description: string; required: boolean }[];
};

export type McpResource = {
  readonly uri: string;
  readonly name: string;
  readonly description: string;
  readonly mimeType?: string;
  readonly sizeBytes?: number;
};

export type McpResourceTemplate = Omit<McpResource, "uri" | "sizeBytes"> & { readonly uriTemplate: string };

/** A server's offers, each list sorted by name. */
export type ServerLists = {
  readonly tools: readonly McpTool[];
  readonly prompts: readonly McpPrompt[];
  readonly resources: readonly McpResource[];
  readonly templates: readonly McpResourceTemplate[];
  /** Sentences about dropped items. */
  readonly notes: readonly string[];
};

const MAX_DESCRIPTION = 2_000;
/** For a schema as JSON. */
const MAX_SCHEMA = 32_000;
/** For each list. */
const MAX_ITEMS = 500;
const MAX_NAME = 128;
const MAX_ADDRESS = 2_000;

export const emptyLists: ServerLists = { tools: [], prompts: [], resources: [], templates: [], notes: [] };

/**
 * Fetches everything that the server claims to have. Rejects if its tools cannot be read; other failures become notes.
 */
export async function readLists(
  client: Client,
  answers: Pick<SoundAnswers, "notesOf">,
  options: { signal: AbortSignal; timeout: number },
): Promise<ServerLists> {
  const { tools, prompts, resources } = client.getServerCapabilities() ?? {};
  const notes: string[] = [];
  const ask = { ...options, cacheMode: "refresh" as const };
  const without = (what: string) => (error: Error) => {
    notes.push(`Its ${what} could not be read: ${plainError(error)}`);
    return undefined;
  };
  const [toolList, promptList, resourceList, templateList] = await Promise.all([
    tools ? client.listTools(undefined, ask) : undefined,
    prompts ? client.listPrompts(undefined, ask).catch(without("prompts")) : undefined,
    resources ? client.listResources(undefined, ask).catch(without("resources")) : undefined,
    // Many servers have resources but no templates, and answer that they do not know the method.
    resources ? client.listResourceTemplates(undefined, ask).catch(() => undefined) : undefined,
  ]);
  for (const method of ["tools/list", "prompts/list", "resources/list", "resources/templates/list"])
    notes.push(...answers.notesOf(method));
  return {
    tools: boundedTools(toolList?.tools ?? [], notes),
    prompts: bounded((promptList?.prompts ?? []).filter(isNamed).map(promptOf), "prompts", notes),
    resources: bounded((resourceList?.resources ?? []).filter(hasAddress).map(resourceOf), "resources", notes),
    templates: bounded((templateList?.resourceTemplates ?? []).filter(hasAddress).map(templateOf), "templates", notes),
    notes,
  };
}

type SdkTool = Awaited<ReturnType<Client["listTools"]>>["tools"][number];
type SdkPrompt = Awaited<ReturnType<Client["listPrompts"]>>["prompts"][number];
type SdkResource = Awaited<ReturnType<Client["listResources"]>>["resources"][number];

function boundedTools(tools: readonly SdkTool[], notes: string[]): McpTool[] {
  const kept = new Map<string, McpTool>();
  for (const tool of tools) {
    const name = JSON.stringify(tool.name.slice(0, MAX_NAME));
    if (kept.has(tool.name)) notes.push(`The tool ${name} is listed twice: the first one is used.`);
    else if (tool.name === "" || tool.name.length > MAX_NAME) notes.push(`The tool ${name} has no usable name.`);
    else if (sizeOf(tool.inputSchema) > MAX_SCHEMA)
      notes.push(`The tool ${name} is left out: its schema is longer than ${MAX_SCHEMA} characters.`);
    else kept.set(tool.name, toolOf(tool));
  }
  return bounded([...kept.values()], "tools", notes);
}

function bounded<T extends { name: string }>(items: T[], what: string, notes: string[]): T[] {
  const all = byName(items);
  if (all.length > MAX_ITEMS) notes.push(`Only the first ${MAX_ITEMS} of its ${all.length} ${what} are used.`);
  return all.slice(0, MAX_ITEMS);
}

function isNamed({ name }: { name: string }): boolean {
  return name !== "" && name.length <= MAX_NAME;
}

/** True if the address can be written on one line. */
function hasAddress({ uri, uriTemplate }: { uri?: string; uriTemplate?: string }): boolean {
  const address = uri ?? uriTemplate ?? "";
  return address !== "" && address.length <= MAX_ADDRESS && plainLine(address, MAX_ADDRESS) === address;
}

function toolOf({ name, title, description = "", inputSchema, outputSchema, annotations }: SdkTool): McpTool {
  const { readOnlyHint, destructiveHint, idempotentHint, openWorldHint } = annotations ?? {};
  const shownTitle = title ?? annotations?.title;
  return {
    name,
    ...(shownTitle !== undefined && { title: shownTitle.slice(0, MAX_NAME) }),
    description: clip(description),
    inputSchema,
    ...(outputSchema && sizeOf(outputSchema) <= MAX_SCHEMA && { outputSchema }),
    annotations: {
      ...(readOnlyHint !== undefined && { readOnlyHint }),
      ...(destructiveHint !== undefined && { destructiveHint }),
      ...(idempotentHint !== undefined && { idempotentHint }),
      ...(openWorldHint !== undefined && { openWorldHint }),
    },
  };
}

function promptOf({ name, title, description = "", arguments: args = [] }: SdkPrompt): McpPrompt {
  return {
    name,
    ...(title !== undefined && { title: title.slice(0, MAX_NAME) }),
    description: clip(description),
    arguments: args.map((arg) => ({
      name: arg.name,
      description: clip(arg.description ?? ""),
      required: arg.required === true,
    })),
  };
}

function resourceOf(resource: SdkResource): McpResource {
  const { uri, size } = resource;
  return { ...describedOf(resource), uri, ...(size !== undefined && { sizeBytes: size }) };
}

function templateOf(template: Omit<SdkResource, "uri"> & { uriTemplate: string }): McpResourceTemplate {
  return { ...describedOf(template), uriTemplate: template.uriTemplate };
}

function describedOf({ name, title, description = "", mimeType }: Omit<SdkResource, "uri">): Omit<McpResource, "uri"> {
  return {
    name: (title ?? name).slice(0, MAX_NAME),
    description: clip(description),
    ...(mimeType !== undefined && { mimeType }),
  };
}

function clip(text: string): string {
  return text.length > MAX_DESCRIPTION ? `${text.slice(0, MAX_DESCRIPTION)} … (cut)` : text;
}

function sizeOf(schema: unknown): number {
  return JSON.stringify(schema)?.length ?? 0;
}

/** Requests describe tools in this order, which must not change at a server's whim. */
function byName<T extends { name: string }>(items: T[]): T[] {
  return items.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
}
