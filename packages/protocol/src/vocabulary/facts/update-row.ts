import * as z from "zod";
import { Cost, Usage } from "../message.ts";

/** A kind of update with its description. */
export function updateRow<K extends string, S extends z.ZodRawShape>(sessionUpdate: K, doc: string, shape: S) {
  return { doc, schema: z.object({ sessionUpdate: z.literal(sessionUpdate), ...shape }) };
}

/** The cost of a request, on a fact that is not its reply. */
export const spent = {
  usage: Usage.optional(),
  cost: Cost.optional(),
  provider: z.string().optional(),
  model: z.string().optional(),
};
