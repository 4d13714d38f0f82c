import * as z from "zod";
import { request } from "./table.ts";

/** Requests of the server to a client. */
export const elicitationRequests = {
  "elicitation/create": request({
    doc: "A question for the person: choose one of `options`, or type an answer where `freeText` is true.",
    lane: "free",
    idempotent: true,
    access: "read",
    params: z.object({
      sessionId: z.string(),
      elicitationId: z.string(),
      agentId: z.string(),
      message: z.string(),
      /** Its subject in a word or two. */
      header: z.string().optional(),
      /** Markdown that the question is about, such as a plan; untrusted, like everything that a model wrote. */
      about: z.string().optional(),
      /** The address that the person is asked to open, as `message` has it too; the first option says that they did. Untrusted. */
      url: z.string().optional(),
      options: z.array(z.object({ optionId: z.string(), name: z.string(), description: z.string().optional() })),
      freeText: z.boolean(),
      /** Several options may be chosen: their names are then returned as `text`, separated by `; `. */
      multiple: z.boolean().optional(),
      /** Its place among questions that are asked one after another: 1 of 3. */
      part: z.object({ at: z.number(), of: z.number() }).optional(),
      /** The person may answer `back`, to return to the question before. */
      back: z.literal(true).optional(),
      /** The answer that was given, or begun, before the person went back. */
      given: z.object({ optionId: z.string().optional(), text: z.string().optional() }).optional(),
      /** When it expires; absent if it does not. */
      expiresAt: z.string().optional(),
    }),
    result: z.discriminatedUnion("action", [
      z.object({ action: z.literal("accept"), optionId: z.string().optional(), text: z.string().optional() }),
      z.object({ action: z.literal("decline") }),
      /** `draft`: the answer as it was left, in the form of `text`; it is `given` again. */
      z.object({ action: z.literal("back"), draft: z.string().optional() }),
      z.object({ action: z.literal("cancel") }),
    ]),
  }),
};
