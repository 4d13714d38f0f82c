import { argumentGrowthFigures } from "./argument-growth.ts";
import type { Figure } from "./figures.ts";
import { tokenFlowFigures } from "./token-flow.ts";
import { toolStartFigures } from "./tool-start.ts";

/** The time between a server's bytes and the resulting work. */
export async function providerFigures(times: number, largestMegabytes: number): Promise<Figure[]> {
  const few = Math.min(times, 3);
  // Measured first, because the later ones leave a large heap behind.
  const starts = await toolStartFigures(few);
  const flows = await tokenFlowFigures(few);
  return [...starts, ...flows, ...(await argumentGrowthFigures(few, largestMegabytes))];
}
