import * as z from "zod";
import { AgentMode } from "../agent-mode.ts";
import { SeenFile } from "../files/seen-file.ts";
import { Content } from "../message.ts";
import { ActiveSkill } from "../skill.ts";

/** Sent to the model with a message, but not the user's words: files that it mentions, the date. */
export const attached = z.array(Content).optional();
/** Files that are attached, which counts as having been read. */
export const files = z.array(SeenFile).optional();

/** A part of a slash command's text for the agent: text, or a call that is replaced by its result. */
const CommandPiece = z.union([
  z.object({ text: z.string() }),
  z.object({ tool: z.string(), input: z.record(z.string(), z.unknown()) }),
]);

/** A message that is a slash command: the text for the agent, and the settings for its turn. */
export const PromptCommand = z.object({
  /** With the slash. */
  name: z.string(),
  /** Its file, or its name if it is built in. */
  from: z.string(),
  pieces: z.array(CommandPiece),
  /** `MODEL` or `PROVIDER/MODEL`. */
  model: z.string().optional(),
  mode: AgentMode.optional(),
  /** Rules that allow calls without asking. */
  allow: z.array(z.string()).optional(),
  /** The only tools that may do more than read. */
  only: z.array(z.string()).optional(),
  /** Nothing may be changed: allows only tools that read, and commands that only read. */
  looks: z.literal(true).optional(),
  /** The skill that it is, which is active from now on. */
  skill: ActiveSkill.optional(),
});
export type PromptCommand = z.infer<typeof PromptCommand>;

export const QueuedPrompt = z.object({
  promptId: z.string(),
  content: z.array(Content),
  attached,
  files,
  command: PromptCommand.optional(),
});
export type QueuedPrompt = z.infer<typeof QueuedPrompt>;
