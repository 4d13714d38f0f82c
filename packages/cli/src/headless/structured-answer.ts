import { AnswerSchema } from "@harness/client";
import type { Content } from "@harness/protocol";
import { CliError } from "../process/exit-codes.ts";
import { promptFile } from "./prompt-content.ts";
import type { RunReport } from "./run-report.ts";

/** The schema of --output-schema, or of the file that it names. */
export async function readSchema(named: string, cwd: string): Promise<AnswerSchema> {
  const isItself = named.trimStart().startsWith("{");
  const text = isItself ? named : await promptFile(named, cwd);
  try {
    return await AnswerSchema.of(JSON.parse(text));
  } catch (error) {
    const what = isItself ? "the schema" : named;
    const why = error instanceof SyntaxError ? `${what} is not valid JSON.` : String((error as Error).message);
    throw new CliError("usage", `--output-schema: ${why}`);
  }
}

type StructuredDeps = { ask(prompt: Content[]): Promise<void>; report: RunReport };

/** Runs the prompt, and asks once more if the answer does not fit. Rejects with a `CliError` if that fails, too. */
export async function askForStructured(
  schema: AnswerSchema,
  prompt: readonly Content[],
  { ask, report }: StructuredDeps,
): Promise<void> {
  await ask([...prompt, { type: "text", text: schema.instructions }]);
  if (report.ending !== "done") return;
  let checked = schema.check(report.answer);
  if ("problem" in checked) {
    await ask([{ type: "text", text: schema.repair(checked.problem) }]);
    if (report.ending !== "done") return;
    checked = schema.check(report.answer);
  }
  if ("problem" in checked) throw new CliError("failed", `The answer cannot be used: ${checked.problem}`);
  report.takeStructured(checked.value);
}
