import { capabilitiesText, PROBE_INDENT, probeText } from "../steps/doctor-text.ts";
import { linesFor } from "../text/text-table.ts";
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
    const place = `${String(done).padStart(String(of).length)}/${of}  `;
    const text = `${place}${probeText(probe)}`;
    if (isJson) note(text);
    else say(linesFor(process.stdout, text, " ".repeat(place.length + PROBE_INDENT)));
  };
  const model = line.value("model");
  const provider = line.value("provider");
  const params = { cwd, ...(model === undefined ? {} : { model }), ...(provider === undefined ? {} : { provider }) };
  const { capabilities } = await client.call("models/doctor", params, { signal });
  say(isJson ? JSON.stringify(capabilities) : capabilitiesText(capabilities, process.stdout.columns));
  return "done";
};
