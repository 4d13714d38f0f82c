import type { ToolSpec } from "@harness/core";
import type { ToolCallPart } from "@harness/protocol";
import { isRecord, tryParseJson } from "../json/lenient-json.ts";
import { readTextCalls } from "../text-calls/scan/read-text-calls.ts";
import type { Probe } from "./probe.ts";
import type { ProbeRunner } from "./probe-runner.ts";
import { needsHelpWithCalls } from "./tool-mode.ts";
import { failedProbe, type ProbeVerdict, passedProbe, quoted, skippedProbe } from "./verdict.ts";

const SENTENCE = "The old lighthouse keeper counts nine white boats before the evening fog rolls over the quiet bay.";
const string = { type: "string" };

/** Arguments of several kinds, one of them long enough to arrive in pieces. */
const saveNote: ToolSpec = {
  name: "save_note",
  description: "Saves a note.",
  inputSchema: {
    type: "object",
    properties: { title: string, text: string, copies: { type: "integer" } },
    required: ["title", "text", "copies"],
    additionalProperties: false,
  },
};

const order = {
  ask: `Save a note with the tool: the title is Harbour, there are 3 copies, and the text is this sentence: ${SENTENCE}`,
  tools: [saveNote],
  tokens: 200,
};

/** Describes what is wrong with the call, to complete a sentence; undefined: nothing. */
function wrongWith(call: Pick<ToolCallPart, "name" | "input" | "inputText"> | undefined): string | undefined {
  if (!call) return "the reply had no call";
  if (call.name !== saveNote.name) return `it called ${quoted(call.name)}, a tool that was not offered`;
  const input = call.input ?? parseArguments(call.inputText);
  if (!input) return `the arguments were not a JSON object: ${quoted(call.inputText ?? "")}`;
  const { title, text, copies } = input;
  // The toolbox converts a number that came as text.
  const isRight =
    plain(title) === "harbour" && plain(text).includes(plain(SENTENCE).slice(0, -1)) && Number(copies) === 3;
  return isRight ? undefined : `the arguments were wrong: ${quoted(JSON.stringify(input))}`;
}

function parseArguments(text = ""): Record<string, unknown> | undefined {
  const json = tryParseJson(text);
  return json.ok && isRecord(json.value) ? json.value : undefined;
}

function plain(value: unknown): string {
  return typeof value === "string" ? value.trim().toLowerCase() : "";
}

export const nativeCall: Probe = {
  id: "native_call",
  title: "Calls a tool with the right arguments",
  async run(runner) {
    const { answer, failure, refusal } = await runner.ask(order);
    if (failure && refusal === "no_tools") return failedProbe(failure.message, { native: false });
    if (failure) return failedProbe(failure.message);
    const { calls, text, argumentPieces, stop, wasCutOff } = answer;
    const wrong = wrongWith(calls[0]);
    if (wrong === undefined)
      return passedProbe("It called the tool through the API, with the right arguments.", {
        native: true,
        argumentPieces,
      });
    if (calls.length === 0 && stop === "length" && text === "" && !wasCutOff) {
      return skippedProbe("It used up its tokens for this question while thinking.");
    }
    const read = calls.length === 0 ? readTextCalls(text, [saveNote]) : undefined;
    const quote = calls.length === 0 && text !== "" ? `: ${quoted(text)}` : "";
    return failedProbe(`The reply was not the expected call: ${wrong}${quote}.`, {
      native: false,
      ...(read && wrongWith(read.calls[0]) === undefined && { textForm: read.form }),
    });
  },
};

export const streamedArguments: Probe = {
  id: "streamed_arguments",
  title: "Streams the arguments of a call",
  needs: ["native_call"],
  run({ findings: { argumentPieces = 0 } }) {
    if (argumentPieces > 1) return passedProbe(`The arguments arrived in ${argumentPieces} pieces.`);
    return failedProbe("The arguments arrive in one piece, once the call is complete.");
  },
};

export const textCall: Probe = {
  id: "text_call",
  title: "Writes calls as text that harness can read",
  run({ findings: { native, textForm } }) {
    if (native !== false) return skippedProbe(native ? "Not needed: it calls tools through the API." : UNKNOWN);
    if (textForm !== undefined)
      return passedProbe(`It writes calls as text in the form "${textForm}", which harness reads.`);
    return failedProbe("The reply contained no call that harness can read.");
  },
};

const UNKNOWN = "Unknown: the test of tool calls did not complete.";

const colours = {
  type: "object",
  properties: { colour: { type: "string", enum: ["red", "blue", "green"] }, degrees: { type: "integer" } },
  required: ["colour", "degrees"],
  additionalProperties: false,
};

/** The prompt does not mention JSON: only a server that enforces the schema produces it. */
export const schemaHeld: Probe = {
  id: "schema_held",
  title: "Its server enforces a JSON schema",
  run: (runner) =>
    runner.judge(
      {
        ask: "Which colour has the sky at noon, and how warm is it in May? One sentence.",
        schema: colours,
        tokens: 96,
      },
      ({ text, stop }) => {
        const json = tryParseJson(text);
        if (json.ok && isColours(json.value))
          return passedProbe("The reply matched the schema, although the prompt did not mention it.");
        if (stop === "length") return failedProbe("With a schema, the reply did not end.");
        return failedProbe(`The server ignored the schema: ${quoted(text)}.`);
      },
    ),
};

function isColours(value: unknown): boolean {
  if (!isRecord(value) || Object.keys(value).length !== 2) return false;
  const { colour, degrees } = value;
  return colours.properties.colour.enum.some((each) => each === colour) && Number.isInteger(degrees);
}

export const constrainedCall: Probe = {
  id: "constrained_call",
  title: "Calls a tool when a schema constrains its reply",
  needs: ["schema_held"],
  run: (runner) => callAs("constrained", runner),
};

export const promptedCall: Probe = {
  id: "prompted_call",
  title: "Calls a tool when asked to write calls as text",
  run: (runner) => callAs("prompted", runner),
};

/** Tried only if no better way was found. */
async function callAs(mode: "constrained" | "prompted", runner: ProbeRunner): Promise<ProbeVerdict> {
  const { native } = runner.findings;
  if (native === undefined) return skippedProbe(UNKNOWN);
  if (!needsHelpWithCalls(runner.findings) || runner.findings.constrained)
    return skippedProbe("Not needed: a better way works.");
  return runner.judge({ ...order, as: mode }, ({ calls, text }) => {
    const wrong = wrongWith(calls[0]);
    if (wrong === undefined) return passedProbe("The call was right.", { [mode]: true });
    const quote = calls.length === 0 ? `: ${quoted(text)}` : "";
    const none = mode === "prompted" ? " No way works reliably: tools are offered as before." : "";
    return failedProbe(`The reply was not the expected call: ${wrong}${quote}.${none}`, { [mode]: false });
  });
}
