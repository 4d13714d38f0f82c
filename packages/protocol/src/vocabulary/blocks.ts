import * as z from "zod";
import { TodoStatus } from "./todo.ts";

/**
 * The parts of a tool result that people see: a closed set that fronts draw. A front that meets an unknown kind draws
 * `text` of the tool result instead. All text in blocks is untrusted: it may contain any control character.
 */
export const TextBlock = z.object({ type: z.literal("text"), text: z.string() });
export const MarkdownBlock = z.object({ type: z.literal("markdown"), text: z.string() });
/** A change of one file. `hunks` is a unified diff body (lines starting with ` `, `+`, `-`, `@@`), without file headers. */
export const DiffBlock = z.object({
  type: z.literal("diff"),
  path: z.string(),
  change: z.enum(["create", "modify", "delete"]),
  hunks: z.string(),
  added: z.number(),
  removed: z.number(),
});
export type DiffBlock = z.infer<typeof DiffBlock>;
/** A command and its output. `output` may be cut; `fullOutputPath` then names the file with all of it. */
export const TerminalBlock = z.object({
  type: z.literal("terminal"),
  command: z.string(),
  output: z.string(),
  exitCode: z.number().nullable(),
  signal: z.string().optional(),
  /** Why harness stopped it: `stopped: more than 50 MB of output`. The exit code and the signal come from that. */
  stopped: z.string().optional(),
  durationMs: z.number(),
  fullOutputPath: z.string().optional(),
  /** It continues in the background under this id. */
  processId: z.string().optional(),
  /** Whether it ran in a sandbox; absent if commands do not. */
  sandboxed: z.boolean().optional(),
});
export const ListBlock = z.object({
  type: z.literal("list"),
  items: z.array(z.object({ text: z.string(), detail: z.string().optional() })),
  more: z.number().optional(),
});
export const TreeBlock = z.object({
  type: z.literal("tree"),
  entries: z.array(z.object({ path: z.string(), directory: z.boolean() })),
  more: z.number().optional(),
});
export const TodoBlock = z.object({
  type: z.literal("todo"),
  items: z.array(z.object({ text: z.string(), status: TodoStatus })),
});
export const TableBlock = z.object({
  type: z.literal("table"),
  columns: z.array(z.string()),
  rows: z.array(z.array(z.string())),
});
export const ImageBlock = z.object({
  type: z.literal("image"),
  mimeType: z.string(),
  path: z.string().optional(),
  description: z.string(),
});
export const JsonBlock = z.object({ type: z.literal("json"), value: z.unknown() });

export const Block = z.discriminatedUnion("type", [
  TextBlock,
  MarkdownBlock,
  DiffBlock,
  TerminalBlock,
  ListBlock,
  TreeBlock,
  TodoBlock,
  TableBlock,
  ImageBlock,
  JsonBlock,
]);
export type Block = z.infer<typeof Block>;
