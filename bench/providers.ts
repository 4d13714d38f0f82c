import { argumentGrowthFigures } from "./argument-growth.ts";
import type { Figure } from "./figures.ts";
import { tokenFlowFigures } from "./token-flow.ts";
import { toolStartFigures } from "./tool-start.ts";

/** The time between a server's bytes and the work that they ask for. */
export async function providerFigures(times: number, largestMegabytes: number): Promise<Figure[]> {
  const few = Math.min(times, 3);
  // First, for what comes later leaves a large heap behind.
  const starts = await toolStartFigures(few);
  const flows = await tokenFlowFigures(few);
  return [...starts, ...flows, ...(await argumentGrowthFigures(few, largestMegabytes))];
}
