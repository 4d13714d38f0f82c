import type { FlagRow } from "../flag-row.ts";

/** Flags of `harness plugin`. */
export const pluginFlags = {
  lang: {
    takes: "value",
    value: "LANG",
    choices: ["sh", "python", "node"],
    fallback: "sh",
    doc: "The language of the new program.",
    in: ["plugin new"],
  },
  stage: { takes: "value", value: "STAGE", fallback: "tool_exec", doc: "The stage of a new hook.", in: ["plugin new"] },
  own: {
    takes: "nothing",
    doc: "Write to your own configuration folder, for every project.",
    in: ["plugin new"],
  },
  kind: {
    takes: "value",
    value: "KIND",
    choices: ["tool", "hook", "command", "provider"],
    doc: "The kind of program, if its folder does not show it.",
    in: ["plugin test"],
  },
  input: {
    takes: "value",
    value: "JSON",
    doc: "Arguments to test a tool with, instead of examples from its schema.",
    in: ["plugin test"],
  },
} as const satisfies Record<string, FlagRow>;
