import type { PluginCheck } from "@harness/protocol";
import { visibleText } from "@harness/protocol";
import { CliError } from "../../process/exit-codes.ts";
import type { SubcommandHandler } from "../run-subcommand.ts";

const MARKS = { ok: "ok      ", warning: "warning ", failed: "FAILED  " } as const;
const KINDS = ["tool", "hook", "command", "provider"] as const;

/** `harness plugin test PATH`: runs a program with recorded inputs; fails if one of its answers is wrong. */
export const pluginTestSubcommand: SubcommandHandler = async ({ client, line, cwd, say }) => {
  const [path = ""] = line.positionals;
  const kind = KINDS.find((each) => each === line.value("kind"));
  const input = inputOf(line.value("input"));
  const verdict = await client.call("plugin/test", { cwd, path, ...(kind && { kind }), ...(input && { input }) });
  const failures = verdict.checks.filter(({ status }) => status === "failed").length;
  if (line.has("json")) say(JSON.stringify(verdict));
  else {
    const { stage } = verdict;
    say(`${verdict.kind} ${verdict.name}${stage === undefined ? "" : ` (${stage})`}: ${verdict.path}`);
    for (const check of verdict.checks) say(rowOf(check));
    say(failures === 0 ? "All checks passed." : `${failures} of ${verdict.checks.length} checks failed.`);
  }
  return failures === 0 ? "done" : "failed";
};

function rowOf({ name, status, detail }: PluginCheck): string {
  return `${MARKS[status]}${visibleText(name)}${detail === undefined ? "" : `: ${visibleText(detail)}`}`;
}

function inputOf(text: string | undefined): Record<string, unknown> | undefined {
  if (text === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return { ...value };
  } catch {
    // Reported below.
  }
  throw new CliError("usage", `--input takes a JSON object, such as --input '{"path": "README.md"}'.`);
}
