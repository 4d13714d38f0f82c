import { Content, PermissionOutcome as Outcome, type PermissionOutcome, textOf } from "@harness/protocol";
import { CliError } from "../process/exit-codes.ts";

/** One line of `--input-format stream-json`. Without a `promptId` the run creates one. */
export type InputLine =
  | { type: "prompt"; promptId?: string; prompt: Content[] }
  | { type: "cancel" }
  | { type: "permission_reply"; permissionId: string; outcome: PermissionOutcome }
  /** No answer means that the user declines. */
  | { type: "question_reply"; elicitationId: string; answer: string | undefined };

/** Room for a few images. */
const MAX_LINE_BYTES = 32 * 1024 * 1024;
const LF = 10;

/**
 * The lines of stdin, separated by LF only. An invalid line ends the run with a `CliError`: partly obeyed input is
 * worse than none.
 */
export async function* readInputLines(stdin: AsyncIterable<Buffer>): AsyncGenerator<InputLine> {
  let number = 0;
  for await (const line of splitLines(stdin)) {
    number += 1;
    const text = line.trim();
    if (text !== "") yield readLine(text, number);
  }
}

async function* splitLines(stdin: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let started: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stdin) {
    let from = 0;
    for (let end = chunk.indexOf(LF); end !== -1; end = chunk.indexOf(LF, from)) {
      yield Buffer.concat([...started, chunk.subarray(from, end)]).toString("utf8");
      started = [];
      bytes = 0;
      from = end + 1;
    }
    started.push(chunk.subarray(from));
    bytes += chunk.length - from;
    if (bytes > MAX_LINE_BYTES)
      throw new CliError("usage", `A line of stdin has more than ${MAX_LINE_BYTES / 1024 / 1024} MB.`);
  }
  yield Buffer.concat(started).toString("utf8");
}

function readLine(line: string, number: number): InputLine {
  const wrong = (why: string) =>
    new CliError(
      "usage",
      `Line ${number} of stdin ${why}. Lines are {"type":"prompt","prompt":"…"}, {"type":"cancel"}, {"type":"permission_reply","permissionId":"…","outcome":{…}} or {"type":"question_reply","elicitationId":"…","answer":"…"}.`,
    );
  let value: Record<string, unknown> | null;
  try {
    value = JSON.parse(line);
  } catch {
    throw wrong("is not JSON");
  }
  switch (value?.type) {
    case "cancel":
      return { type: "cancel" };
    case "prompt":
      return readPrompt(value, wrong);
    case "permission_reply": {
      const { permissionId } = value;
      const parsed = Outcome.safeParse(value.outcome);
      if (!parsed.success || typeof permissionId !== "string") throw wrong("has no permissionId with an outcome");
      return { type: "permission_reply", permissionId, outcome: parsed.data };
    }
    case "question_reply": {
      const { elicitationId, answer } = value;
      const isAnswer = answer === undefined || answer === null || typeof answer === "string";
      if (!isAnswer || typeof elicitationId !== "string") throw wrong("has no elicitationId with an answer");
      return { type: "question_reply", elicitationId, answer: answer ?? undefined };
    }
    case undefined:
      throw wrong("has no type");
    default:
      throw wrong(`has the unknown type ${JSON.stringify(value?.type)}`);
  }
}

function readPrompt(value: Record<string, unknown>, wrong: (why: string) => CliError): InputLine {
  const { prompt, promptId } = value;
  const content = typeof prompt === "string" ? [{ type: "text", text: prompt }] : prompt;
  const parsed = Content.array().min(1).safeParse(content);
  if (!parsed.success) throw wrong("has no prompt (text or a list of content blocks)");
  if (promptId !== undefined && (typeof promptId !== "string" || promptId === ""))
    throw wrong("has a promptId that is not a string");
  const hasPicture = parsed.data.some(({ type }) => type === "image");
  if (!hasPicture && textOf(parsed.data).trim() === "") throw wrong("has an empty prompt");
  return { type: "prompt", ...(promptId === undefined ? {} : { promptId }), prompt: parsed.data };
}
