import * as z from "zod";
import { request } from "../define.ts";

export const ModelView = z.object({
  provider: z.string(),
  model: z.string(),
  windowTokens: z.number().optional(),
  /** Loaded in the memory of a local server right now. */
  loaded: z.boolean().optional(),
});
export type ModelView = z.infer<typeof ModelView>;

export const ProviderView = z.object({
  id: z.string(),
  name: z.string(),
  local: z.boolean(),
  ready: z.boolean(),
  /** Why it is not ready and what to do, or where it answers. Never a key. */
  detail: z.string(),
  keyEnv: z.string().optional(),
});
export type ProviderView = z.infer<typeof ProviderView>;

export const modelMethods = {
  "models/list": request({
    doc: "The models that the ready providers offer.",
    lane: "free",
    idempotent: true,
    access: "read",
    params: z.object({ provider: z.string().optional() }),
    result: z.object({ models: z.array(ModelView), problems: z.array(z.string()) }),
  }),
  "providers/list": request({
    doc: "The vendors that can be used, and what each still needs.",
    lane: "free",
    idempotent: true,
    access: "read",
    params: z.object({}),
    result: z.object({
      providers: z.array(ProviderView),
      /** What a new session would use; absent when nothing is ready, and then `advice` says in three lines how to get a model. */
      selected: z.object({ provider: z.string(), model: z.string(), warning: z.string().optional() }).optional(),
      advice: z.array(z.string()).optional(),
    }),
  }),
};
