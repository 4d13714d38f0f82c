import { CliError } from "../../process/exit-codes.ts";
import type { SubcommandHandler } from "../run-subcommand.ts";

const KINDS = ["tool", "hook", "command", "provider"] as const;
const STAGES = [
  "sources",
  "resolve",
  "start",
  "assemble",
  "send",
  "receive",
  "tool_exec",
  "tool_done",
  "error",
  "done",
  "auth-set",
] as const;
const USAGE = "harness plugin new tool|hook|command|provider NAME";

/** `harness plugin new KIND NAME`: writes a program that works as it is. */
export const pluginNew: SubcommandHandler = async ({ client, line, cwd, say }) => {
  const [wanted, name, ...more] = line.positionals;
  const kind = KINDS.find((each) => each === wanted);
  if (!kind || name === undefined || more.length > 0) throw new CliError("usage", `Usage: ${USAGE}.`);
  const asked = line.value("stage");
  const stage = STAGES.find((each) => each === asked);
  if (asked !== undefined && !stage)
    throw new CliError("usage", `There is no stage "${asked}". The stages are ${STAGES.join(", ")}.`);
  const { path } = await client.call("plugin/new", {
    cwd,
    kind,
    name,
    lang: languageOf(line.value("lang")),
    owner: line.has("own") ? "person" : "project",
    ...(stage ? { stage } : {}),
  });
  say(`Written: ${path}\nTry it:  harness plugin test ${path}`);
  return "done";
};

function languageOf(value: string | undefined): "sh" | "python" | "node" {
  return value === "python" || value === "node" ? value : "sh";
}
