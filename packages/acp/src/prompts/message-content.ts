import { fileURLToPath } from "node:url";
import type { ContentBlock, EmbeddedResource, ResourceLink } from "@agentclientprotocol/sdk/unstable";
import type { HarnessClient } from "@harness/client";
import { type Content, quotedAttribute, taggedText } from "@harness/protocol";
import type { ClientFolders } from "../files/client-folders.ts";
import { invalidParams } from "../peer/request-failure.ts";

/** `cwd`: without links; `folders`: as the client names them. */
type PromptContext = { client: Pick<HarnessClient, "call">; cwd: string; folders: ClientFolders };

/** A client's prompt as a message. Text of resources is quoted: it cannot mention files. */
export async function messageContent(blocks: readonly ContentBlock[], place: PromptContext): Promise<Content[]> {
  const parts = await Promise.all(blocks.map((block) => contentOf(block, place)));
  const content = parts.flat().filter((part) => part.type !== "text" || part.text !== "");
  if (content.length === 0) throw invalidParams("The prompt is empty.");
  return content;
}

async function contentOf(block: ContentBlock, { client, cwd, folders }: PromptContext): Promise<Content[]> {
  switch (block.type) {
    case "text":
      return [{ type: "text", text: block.text.toWellFormed() }];
    case "image":
      return [await imageContent(block.data, client)];
    case "resource_link":
      return [linkContent(block, cwd, folders)];
    case "resource":
      return await resourceContent(block.resource, client);
    case "audio":
      throw invalidParams("Audio is not supported.");
  }
}

async function imageContent(data: string, client: PromptContext["client"]): Promise<Content> {
  const {
    mimeType,
    data: scaled,
    name,
    widthPx,
    heightPx,
  } = await client.call("image/load", {
    source: { from: "data", data },
  });
  return { type: "image", mimeType, data: scaled, name, widthPx, heightPx };
}

async function resourceContent(
  resource: EmbeddedResource["resource"],
  client: PromptContext["client"],
): Promise<Content[]> {
  if ("text" in resource) {
    const text = taggedText("file", `uri=${quotedAttribute(resource.uri)}`, resource.text.toWellFormed());
    return [{ type: "text", text, quoted: true }];
  }
  if (resource.mimeType?.startsWith("image/") === true) return [await imageContent(resource.blob, client)];
  throw invalidParams(`${resource.uri} is neither text nor an image.`);
}

/** A file of the folder is read as if it were mentioned; of others the agent learns the address. */
function linkContent({ uri, name }: ResourceLink, cwd: string, folders: ClientFolders): Content {
  const named = pathOf(uri);
  const path = named === undefined ? undefined : folders.pathOf(named);
  if (path === undefined || path.includes('"') || !isWithin(path, cwd))
    return { type: "text", text: `[${name}](${uri})`.toWellFormed(), quoted: true };
  const lines = /#L?(\d{1,7})(?:[:-]L?(\d{1,7}))?$/.exec(uri);
  const range = lines ? `#${lines[1]}${lines[2] === undefined ? "" : `-${lines[2]}`}` : "";
  return { type: "text", text: ` @"${path}"${range} ` };
}

function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}

function pathOf(uri: string): string | undefined {
  if (!uri.startsWith("file:")) return undefined;
  try {
    const url = new URL(uri);
    url.hash = "";
    return fileURLToPath(url);
  } catch {
    return undefined;
  }
}
