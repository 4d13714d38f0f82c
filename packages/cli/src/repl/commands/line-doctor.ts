import { capabilitiesText, probeText } from "../../steps/doctor-text.ts";
import type { LineContext } from "./line-context.ts";

/** Tests the capabilities of a model, and prints each probe as it ends. */
export async function testModel({ mode, lines, cwd, notices }: LineContext, model: string): Promise<void> {
  const { provider, model: used } = await mode.client.call("hud/get", mode.session.place);
  const inUse = { ...(provider === undefined ? {} : { provider }), ...(used === undefined ? {} : { model: used }) };
  lines.print("Testing the model; Ctrl+C stops that.");
  notices["models/probe"] = ({ probe, done, of }) => lines.print(`${done} of ${of}: ${probeText(probe)}`);
  try {
    await mode.work(async (signal) => {
      const params = { cwd, ...(model === "" ? inUse : { model }) };
      const { capabilities } = await mode.client.call("models/doctor", params, { signal });
      lines.print(capabilitiesText(capabilities));
    });
  } finally {
    delete notices["models/probe"];
  }
}
