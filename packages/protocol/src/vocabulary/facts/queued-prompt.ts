import * as z from "zod";
import { AgentMode } from "../agent-mode.ts";
import { SeenFile } from "../files/seen-file.ts";
import { Content } from "../message.ts";
import { ActiveSkill } from "../skill.ts";

/** Sent to the model with a message, but not the person's words: files that it mentions, the date. */
export const attached = z.array(Content).optional();
/** Files that are attached, which is as good as having been read. */
export const files = z.array(SeenFile).optional();

/** A piece of what a slash command tells the agent: words, or a call whose result takes its place. */
const CommandPiece = z.union([
  z.object({ text: z.string() }),
  z.object({ tool: z.string(), input: z.record(z.string(), z.unknown()) }),
]);

/** A message that is a slash command: the text for the agent in its place, and the settings for its turn. */
export const PromptCommand = z.object({
  /** With the slash. */
  name: z.string(),
  /** Its file; its name where it is built in. */
  from: z.string(),
  pieces: z.array(CommandPiece),
  /** `MODEL` or `PROVIDER/MODEL`. */
  model: z.string().optional(),
  mode: AgentMode.optional(),
  /** Rules that allow calls without asking. */
  allow: z.array(z.string()).optional(),
  /** The only tools that may do more than look. */
  only: z.array(z.string()).optional(),
  /** Nothing may be changed: only tools that look, and commands that only read. */
  looks: z.literal(true).optional(),
  /** The skill that it is, which is active from here on. */
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
