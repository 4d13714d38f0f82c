import { capabilitiesText, probeText } from "../steps/doctor-text.ts";
import type { SubcommandHandler } from "./run-subcommand.ts";

/** `harness doctor`: prints a line per probe, and then the capabilities that the loop uses from now on. */
export const doctorSubcommand: SubcommandHandler = async ({
  client,
  line,
  cwd,
  say,
  note,
  stopping: { signal },
  notices,
}) => {
  const isJson = line.has("json");
  let isFirst = true;
  notices["models/probe"] = ({ provider, model, probe, done, of }) => {
    if (isFirst) note(`Testing ${provider}/${model}: ${of} probes.`);
    isFirst = false;
    (isJson ? note : say)(`${String(done).padStart(String(of).length)}/${of}  ${probeText(probe)}`);
  };
  const model = line.value("model");
  const provider = line.value("provider");
  const params = { cwd, ...(model === undefined ? {} : { model }), ...(provider === undefined ? {} : { provider }) };
  const { capabilities } = await client.call("models/doctor", params, { signal });
  say(isJson ? JSON.stringify(capabilities) : capabilitiesText(capabilities));
  return "done";
};
