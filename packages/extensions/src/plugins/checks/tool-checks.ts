import { isRecord } from "@harness/host";
import { readToolSchema, type ToolDescription } from "../../tools/tool-schema.ts";
import {
  brokenEnd,
  type Check,
  describeChecks,
  endChecks,
  failedCheck,
  type PluginTrial,
  passedCheck,
  quietChecks,
  shownText,
  warningCheck,
} from "./plugin-trial.ts";

/** Checks a tool: its description, one call with good arguments, and one with unreadable ones. */
export async function toolChecks(trial: PluginTrial): Promise<Check[]> {
  const { name, run, timeoutMs, input } = trial;
  const end = await run(["--schema"]);
  const schema = endChecks("--schema", end, { timeoutMs, slowMs: 1_000 });
  if (schema.some(({ status }) => status === "failed")) return schema;
  const read = readToolSchema(end.stdout, name);
  if ("problem" in read) return [...schema, failedCheck("--schema", read.problem)];
  return [
    ...schema,
    ...quietChecks("--schema", end),
    declarationCheck(read),
    ...(await describeChecks(trial)),
    ...(await goodCall(trial, read, input ?? sampleOf(read.inputSchema))),
    await badCall(trial),
  ];
}

function declarationCheck({ category, effects }: ToolDescription): Check {
  if (!effects) return warningCheck("x-harness", "it declares no effects: each call is asked about as a command");
  const kinds = effects.map(
    (each) => `${each.kind} ${"argument" in each ? `the argument ${each.argument}` : each.value}`,
  );
  return passedCheck("x-harness", `${category}: ${kinds.join(", ") || "no effects"}`);
}

async function goodCall({ run, timeoutMs }: PluginTrial, { args }: ToolDescription, input: unknown): Promise<Check[]> {
  const name = `--exec with ${shownText(JSON.stringify(input))}`;
  const read = args.safeParse(input);
  if (!read.success)
    return [failedCheck(name, `the arguments do not fit its schema: ${read.error.issues[0]?.message}`)];
  const end = await run(["--exec"], JSON.stringify(input));
  const checks = endChecks(name, end, { timeoutMs, slowMs: timeoutMs });
  if (checks.some(({ status }) => status === "failed"))
    return [...checks, warningCheck(name, "give arguments that make sense with --input")];
  const nothing =
    end.stdout.trim() === "" ? [warningCheck(name, "it printed nothing, so that the model learns nothing")] : [];
  return [...checks, ...nothing, ...quietChecks(name, end)];
}

async function badCall({ run, timeoutMs }: PluginTrial): Promise<Check> {
  const name = "--exec with arguments that are not JSON";
  const end = await run(["--exec"], "this is not JSON");
  const broken = brokenEnd(end, timeoutMs);
  if (broken !== undefined) return failedCheck(name, broken);
  // harness never sends such a call: it checks arguments first. Other programs may.
  if (end.code === 0)
    return warningCheck(name, "exit code 0: from other programs, a model would take the error for a result");
  const words = shownText(end.stderr || end.stdout);
  return words === ""
    ? failedCheck(name, "it failed without a message, which the model needs")
    : passedCheck(name, words);
}

/** Arguments that fit the schema: its examples, defaults and choices, otherwise a plain value of the type. */
export function sampleOf(schema: unknown): unknown {
  if (!isRecord(schema)) return "example";
  const { examples, default: usual, enum: choices, const: only, type, properties, required } = schema;
  if (Array.isArray(examples) && examples.length > 0) return examples[0];
  if (only !== undefined) return only;
  if (usual !== undefined) return usual;
  if (Array.isArray(choices)) return choices[0];
  switch (Array.isArray(type) ? type[0] : type) {
    case "integer":
    case "number":
      return typeof schema.minimum === "number" ? schema.minimum : 1;
    case "boolean":
      return true;
    case "array":
      return schema.items === undefined ? [] : [sampleOf(schema.items)];
    case "object": {
      const names = Array.isArray(required) ? required.filter((each) => typeof each === "string") : [];
      const known = isRecord(properties) ? properties : {};
      return Object.fromEntries(names.map((each) => [each, sampleOf(known[each])]));
    }
    default:
      return "example";
  }
}
