import type { Content, ImagePart } from "@harness/protocol";

/** Per message; vendors accept more, but people rarely need it. */
export const MAX_PICTURES = 10;
/** For all pictures of a message: facts of the log are held, sent and reread as a whole. */
const MAX_PICTURE_BYTES = 6_000_000;
const MAX_ONE_BYTES = 2_000_000;
const MAX_SCALE_MS = 20_000;

/** The bytes available to each of this many pictures. */
export function pictureRoom(pictures: number): number {
  return Math.min(MAX_ONE_BYTES, Math.floor(MAX_PICTURE_BYTES / Math.max(1, pictures)));
}

export type Picture = { name: string; bytes: Buffer };

/** A picture as sent to a model; the problem is a sentence. */
export async function sentPicture(
  { name, bytes }: Picture,
  maxBytes: number,
): Promise<ImagePart | { problem: string }> {
  const { imageForModel } = await import("@harness/tools");
  const fitted = await imageForModel(bytes, { signal: AbortSignal.timeout(MAX_SCALE_MS), maxBytes });
  if ("problem" in fitted) return { problem: `${name} cannot be sent: ${fitted.problem}.` };
  const { bytes: sent, ...seen } = fitted;
  return { type: "image", ...seen, data: Buffer.from(sent).toString("base64"), name };
}

/** The parts of a message, with its own pictures made small enough. */
export async function withSentPictures(
  parts: readonly Content[],
  maxBytes: number,
): Promise<Content[] | { problem: string }> {
  const fitted: Content[] = [];
  let count = 0;
  for (const part of parts) {
    if (part.type !== "image") {
      fitted.push(part);
      continue;
    }
    count += 1;
    const { data, name } = part;
    const shown = name ?? `Image ${count} of the message`;
    const made = await sentPicture({ name: shown, bytes: Buffer.from(data, "base64") }, maxBytes);
    if ("problem" in made) return made;
    const { name: _shown, ...sent } = made;
    fitted.push(name === undefined ? sent : { ...sent, name });
  }
  return fitted;
}
