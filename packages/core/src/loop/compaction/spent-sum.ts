import { addCost, addUsage } from "@harness/protocol";
import type { Spent } from "../turn/side-request.ts";

/** The cost of several requests to one model. */
export function addSpent(sum: Spent | undefined, more: Spent | undefined): Spent | undefined {
  if (!sum || !more) return sum ?? more;
  const usage = sum.usage || more.usage ? { usage: addUsage(sum.usage ?? {}, more.usage) } : {};
  return { ...more, ...usage, cost: addCost(sum.cost, more.cost) };
}
