import type { AgentMode } from "@harness/protocol";
import { clipText } from "@harness/protocol";
import { firstParagraph } from "../text/first-paragraph.ts";
import { readFrontmatter } from "../text/frontmatter.ts";
import { collapseLines, modelOf, names, readMode } from "../text/frontmatter-values.ts";

/** A slash command as read from its Markdown file. */
type MarkdownCommand = {
  description: string;
  argumentHint?: string;
  /** `MODEL` or `PROVIDER/MODEL`, for the turn that it starts. */
  model?: string;
  mode?: AgentMode;
  /** As rules. */
  allowedTools?: readonly string[];
  /** The agent's text, with placeholders. */
  template: string;
};

/** `problem`: why there is none, as the end of a sentence. `notes`: what was ignored. */
export type CommandReading = { command: MarkdownCommand; notes: readonly string[] } | { problem: string };

const MAX_DESCRIPTION = 300;
const MAX_HINT = 120;
const KNOWN = ["description", "argument-hint", "model", "mode", "allowed-tools"];

/** Reads a slash command from the text of its file. */
export function readMarkdownCommand(text: string): CommandReading {
  const front = readFrontmatter(text);
  if ("problem" in front) return front;
  const { fields, unread } = front;
  const [, unreadable] = [...unread].find(([key]) => KNOWN.includes(key)) ?? [];
  if (unreadable !== undefined) return { problem: unreadable };
  const template = front.body.trim();
  if (template === "") return { problem: "it is empty: write the instructions for the agent" };
  const model = modelOf(fields, "it uses the model of the session");
  const mode = readMode(fields);
  const allowed = names(fields, "allowed-tools", "allowed_tools");
  const problem = mode.problem ?? allowed.problem;
  if (problem !== undefined) return { problem };
  const hint = fields.get("argument-hint");
  // `[file]` is a hint that looks like a list.
  const argumentHint = Array.isArray(hint) ? `[${hint.join(", ")}]` : collapseLines(hint);
  const description = collapseLines(fields.get("description")) || firstParagraph(template) || collapseLines(template);
  return {
    command: {
      description: clipText(description, MAX_DESCRIPTION),
      ...(argumentHint !== "" && { argumentHint: clipText(argumentHint, MAX_HINT) }),
      ...(model.value !== undefined && { model: model.value }),
      ...(mode.value !== undefined && { mode: mode.value }),
      ...(allowed.value && { allowedTools: allowed.value }),
      template,
    },
    notes: model.note === undefined ? [] : [model.note],
  };
}
