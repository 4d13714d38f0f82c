import * as z from "zod";
import { SessionConfig } from "../../vocabulary/updates.ts";
import { request } from "../table.ts";

const ImageSource = z.discriminatedUnion("from", [
  /** A file that the user chose; `~` and paths relative to `cwd` are understood. */
  z.object({ from: z.literal("file"), path: z.string().min(1).max(4_096), cwd: z.string() }),
  /** The clipboard of the server's machine, read by a program of its platform. */
  z.object({ from: z.literal("clipboard") }),
  z.object({ from: z.literal("data"), data: z.string(), name: z.string().max(200).optional() }),
]);

/** An image as it is sent to models. `data` is base64; the original sizes are those before it was scaled down. */
export const LoadedImage = z.object({
  name: z.string(),
  mimeType: z.string(),
  data: z.string(),
  widthPx: z.number(),
  heightPx: z.number(),
  original: z.object({ widthPx: z.number(), heightPx: z.number(), sizeBytes: z.number() }),
});
export type LoadedImage = z.infer<typeof LoadedImage>;

/** The content that a message would send along, by the mention as typed. */
export const MentionPreview = z.object({
  /** Without the `@`, including any line range. */
  mention: z.string(),
  kind: z.enum(["file", "folder", "image", "resource"]).optional(),
  /** An estimate; absent if the server would have to ask another program. */
  tokens: z.number().optional(),
  /** Only for an image. */
  widthPx: z.number().optional(),
  heightPx: z.number().optional(),
  sizeBytes: z.number().optional(),
  /** Why the message would be refused, as a sentence. */
  problem: z.string().optional(),
  /** A sentence if the mention looks odd, though the message is accepted: it looks like a file, but none exists. */
  warning: z.string().optional(),
});
export type MentionPreview = z.infer<typeof MentionPreview>;

export const imageMethods = {
  "image/load": request({
    doc: "Reads an image for a message from a file, the clipboard, or data; turned upright and scaled down to what models take. It is not stored: send it with `session/prompt`. What cannot be read fails with `not_found` and a sentence.",
    lane: "free",
    idempotent: true,
    access: "control",
    params: z.object({ source: ImageSource }),
    result: LoadedImage,
  }),
  "image/draw": request({
    doc: "An image in a size and format that a terminal can draw: PNG, or raw pixels of four bytes each. `data` is base64.",
    lane: "free",
    idempotent: true,
    access: "read",
    params: z.object({
      data: z.string(),
      widthPx: z.number().int().min(1).max(4_000),
      heightPx: z.number().int().min(1).max(4_000),
      form: z.enum(["png", "rgba"]),
    }),
    result: z.object({ data: z.string(), widthPx: z.number(), heightPx: z.number() }),
  }),
  "prompt/preview": request({
    doc: "What a message with this text would send along, before it is sent: its `@` mentions with their size in tokens, or why one would refuse the message; and whether the model sees images (absent: unknown).",
    lane: "free",
    idempotent: true,
    access: "control",
    params: z.object({
      text: z.string(),
      at: z.union([
        z.object({ sessionId: z.string() }),
        /** For a session that does not exist yet. */
        z.object({ cwd: z.string(), config: SessionConfig.optional() }),
      ]),
    }),
    result: z.object({
      mentions: z.array(MentionPreview),
      model: z.string().optional(),
      seesImages: z.boolean().optional(),
    }),
  }),
};
