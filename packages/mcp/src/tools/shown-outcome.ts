import type { ToolResult } from "@harness/core";
import { fencedText } from "@harness/host";
import type { Block, Content } from "@harness/protocol";
import type { McpOutcome } from "../results/tool-outcome.ts";

/** Converts a picture to a form that models accept, or says why not. */
export type FitPicture = (
  picture: { bytes: Uint8Array; mimeType: string },
  signal: AbortSignal,
) => Promise<{ bytes: Uint8Array; mimeType: string } | { problem: string }>;

type Origin = {
  /** The source of these words, such as `Answer of everything/echo`. */
  origin: string;
  /** Further notes for the model and the user, in our own words. */
  notes?: readonly string[];
  fitPicture: FitPicture;
  signal: AbortSignal;
};

/** People can read more in the saved text. */
const SHOWN_CHARS = 4_000;
const MAX_BLOCKS = 20;
const MAX_PICTURES = 8;

/**
 * A server's answer as a tool result: marked for the model, shortened for people, with pictures for models that see.
 */
export async function shownOutcome(
  outcome: McpOutcome,
  { origin, notes = [], ...picture }: Origin,
): Promise<ToolResult> {
  const { images, problems } = await fittedPictures(outcome.images, picture);
  const words = [...notes, ...problems];
  const shownWords = words.map((text): Block => ({ type: "text", text }));
  return {
    status: outcome.status,
    text: [fencedText(origin, outcome.text), ...words].join("\n"),
    blocks: [...shownBlocks(outcome.blocks), ...shownWords],
    ...(images.length > 0 ? { images } : {}),
  };
}

/** `problems`: why pictures were dropped. */
async function fittedPictures(
  pictures: readonly Content[],
  { fitPicture, signal }: Pick<Origin, "fitPicture" | "signal">,
): Promise<{ images: Content[]; problems: string[] }> {
  const images: Content[] = [];
  const problems: string[] = [];
  for (const picture of pictures) {
    if (picture.type !== "image") continue;
    if (images.length >= MAX_PICTURES) {
      problems.push(`(${pictures.length - MAX_PICTURES} more images were left out.)`);
      break;
    }
    const made = await fitPicture({ bytes: Buffer.from(picture.data, "base64"), mimeType: picture.mimeType }, signal);
    if ("problem" in made) problems.push(`(An image was left out: ${made.problem}.)`);
    else images.push({ type: "image", mimeType: made.mimeType, data: Buffer.from(made.bytes).toString("base64") });
  }
  return { images, problems };
}

/** Blocks are facts of the log, which is read again as a whole, so long ones are shortened. */
function shownBlocks(blocks: readonly Block[]): Block[] {
  const more = blocks.length - MAX_BLOCKS;
  const rest: Block[] = more > 0 ? [{ type: "text", text: `… (${more} more parts)` }] : [];
  return [...blocks.slice(0, MAX_BLOCKS).map(shownBlock), ...rest];
}

function shownBlock(block: Block): Block {
  if (block.type === "text") return { type: "text", text: shortened(block.text) };
  if (block.type !== "json") return block;
  const text = JSON.stringify(block.value, undefined, 2) ?? "";
  return text.length > SHOWN_CHARS ? { type: "text", text: shortened(text) } : block;
}

function shortened(text: string): string {
  if (text.length <= SHOWN_CHARS) return text;
  return `${text.slice(0, SHOWN_CHARS).toWellFormed()}\n… (${text.length - SHOWN_CHARS} more characters)`;
}
