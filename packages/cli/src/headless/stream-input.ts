import {
  type Content,
  Content as ContentPart,
  PermissionOutcome as Outcome,
  type PermissionOutcome,
} from "@harness/protocol";
import { CliError } from "../exit-codes.ts";

/** One line of `--input-format stream-json`. */
export type InputLine =
  | { type: "prompt"; promptId: string; prompt: Content[] }
  | { type: "cancel" }
  | { type: "permission_reply"; permissionId: string; outcome: PermissionOutcome };

/**
 * The lines of stdin, framed on LF alone. A line that is not understood ends the run: half-obeyed input is worse than
 * none.
 */
export async function* readInputLines(stdin: AsyncIterable<Buffer>): AsyncGenerator<InputLine> {
  let rest = Buffer.alloc(0);
  let number = 0;
  for await (const chunk of stdin) {
    rest = Buffer.concat([rest, chunk]);
    for (let end = rest.indexOf(10); end !== -1; end = rest.indexOf(10)) {
      const line = rest.subarray(0, end).toString("utf8").trim();
      rest = rest.subarray(end + 1);
      number += 1;
      if (line !== "") yield readLine(line, number);
    }
  }
  const last = rest.toString("utf8").trim();
  if (last !== "") yield readLine(last, number + 1);
}

function readLine(line: string, number: number): InputLine {
  const wrong = (why: string) =>
    new CliError(
      "usage",
      `Line ${number} of stdin ${why}. Lines are {"type":"prompt","prompt":"…"}, {"type":"cancel"} or {"type":"permission_reply","permissionId":"…","outcome":{…}}.`,
    );
  let value: Record<string, unknown>;
  try {
    value = JSON.parse(line);
  } catch {
    throw wrong("is not JSON");
  }
  if (value?.type === "cancel") return { type: "cancel" };
  if (value?.type === "prompt") {
    const { prompt, promptId = `stdin-${number}` } = value;
    const content = typeof prompt === "string" ? [{ type: "text", text: prompt }] : prompt;
    const parsed = ContentPart.array().min(1).safeParse(content);
    if (!parsed.success || typeof promptId !== "string")
      throw wrong("has no prompt that is a text or a list of content");
    return { type: "prompt", promptId, prompt: parsed.data };
  }
  if (value?.type === "permission_reply") {
    const parsed = Outcome.safeParse(value.outcome);
    if (!parsed.success || typeof value.permissionId !== "string") throw wrong("has no permissionId with an outcome");
    return { type: "permission_reply", permissionId: value.permissionId, outcome: parsed.data };
  }
  throw wrong(`has the unknown type ${JSON.stringify(value?.type)}`);
}
