import type { ScenarioInput } from "@harness/testkit";
import { afterEach, expect } from "vitest";
import { AcpProbe } from "./acp-probe.ts";

type StartProbe = (scenario?: ScenarioInput, env?: NodeJS.ProcessEnv) => Promise<AcpProbe>;

/**
 * For the tests of a file that start one agent each: `taken` is given it. After a test the agent ends, and all that it
 * has sent must fit the schema.
 */
export function acpProbing(taken: (probe: AcpProbe) => void): StartProbe {
  const probes: AcpProbe[] = [];
  afterEach(async () => {
    const [probe] = probes.splice(0);
    await probe?.close();
    expect(probe?.problems ?? []).toEqual([]);
  });
  return async (scenario, env) => {
    const probe = await AcpProbe.start(scenario, env);
    probes.push(probe);
    taken(probe);
    return probe;
  };
}
