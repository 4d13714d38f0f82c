import { addCost, addUsage } from "@harness/protocol";
import type { RequestCost } from "../turn/side-request.ts";

/** The cost of several requests to one model. */
export function addSpent(sum: RequestCost | undefined, more: RequestCost | undefined): RequestCost | undefined {
  if (!sum || !more) return sum ?? more;
  const usage = sum.usage || more.usage ? { usage: addUsage(sum.usage ?? {}, more.usage) } : {};
  return { ...more, ...usage, cost: addCost(sum.cost, more.cost) };
}
