import * as z from "zod";
import { request } from "../table.ts";

/** Something that the user has typed and sent. */
export const StoredPrompt = z.object({ at: z.string(), cwd: z.string(), text: z.string() });
export type StoredPrompt = z.infer<typeof StoredPrompt>;

export const typedPromptMethods = {
  "prompts/add": request({
    doc: "Stores what the person has typed in a folder, without secrets, for all clients. It is not sent to a model. `kept` is false for a very long text, and while `prompt_history` is off.",
    lane: "global",
    idempotent: true,
    access: "control",
    params: z.object({ cwd: z.string(), text: z.string() }),
    result: z.object({ kept: z.boolean() }),
  }),
  "prompts/list": request({
    doc: "What the person has typed, in a folder or (without `cwd`) anywhere: the newest texts, each once, newest last.",
    lane: "free",
    idempotent: true,
    access: "read",
    params: z.object({ cwd: z.string().optional(), limit: z.number().int().min(1).max(10_000).default(1_000) }),
    result: z.object({ prompts: z.array(StoredPrompt), problems: z.array(z.string()) }),
  }),
};
