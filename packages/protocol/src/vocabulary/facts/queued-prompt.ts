import * as z from "zod";
import { SeenFile } from "../files/seen-file.ts";
import { Content } from "../message.ts";

/** What goes to the model with a message and is not the person's words: files that it mentions, the date. */
export const attached = z.array(Content).optional();
/** Files that are attached, which is as good as having been read. */
export const files = z.array(SeenFile).optional();

export const QueuedPrompt = z.object({ promptId: z.string(), content: z.array(Content), attached, files });
export type QueuedPrompt = z.infer<typeof QueuedPrompt>;
