import * as z from "zod";

/** Why a turn failed. Programs use `kind`, which is stable; people read `message`, which is not. */
export const Failure = z.object({
  kind: z.enum([
    "auth",
    "rateLimit",
    "overflow",
    /** The server read only part of the prompt. */
    "truncated",
    /** The model returned neither text nor calls, even when it was asked again. */
    "empty",
    "network",
    "refused",
    "badRequest",
    "internal",
    "config",
    /** A program of the user, or of a plugin, that takes part in turns failed. */
    "hook",
    /** The session cannot be written to disk. */
    "storage_failed",
  ]),
  message: z.string(),
  retryAfterMs: z.number().optional(),
});
export type Failure = z.infer<typeof Failure>;
