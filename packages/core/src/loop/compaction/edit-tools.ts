import * as z from "zod";
import {
  type ConversationEdits,
  compressResult,
  compressSegment,
  metadataText,
  verificationText,
} from "../../context/compaction/conversation-edits.ts";
import type { ToolSpec } from "../../ports/provider.ts";

type Answer = { text: string; isError?: true };
type EditTool = { spec: ToolSpec; run(input: unknown, edits: ConversationEdits, maxChars: number): Answer };

function tool<A>(
  name: string,
  description: string,
  args: z.ZodType<A>,
  run: (args: A, edits: ConversationEdits, maxChars: number) => Answer,
): [string, EditTool] {
  const { $schema: _, ...inputSchema } = z.toJSONSchema(args, { io: "input" });
  const checked: EditTool["run"] = (input, edits, maxChars) => {
    const parsed = args.safeParse(input);
    if (!parsed.success) return { text: `Invalid arguments: ${z.prettifyError(parsed.error)}`, isError: true };
    return run(parsed.data, edits, maxChars);
  };
  return [name, { spec: { name, description, inputSchema }, run: checked }];
}

const index = z.coerce.number().int().min(0);

/** The tools of the compaction agent: it edits a copy of the conversation with them. */
export const editTools: ReadonlyMap<string, EditTool> = new Map([
  tool(
    "get_compression_metadata",
    "Reports the tokens of the conversation, the target, and the size of each message; with details, also their text.",
    z.object({ include_details: z.boolean().default(false) }),
    ({ include_details }, edits, maxChars) => ({ text: metadataText(edits, { details: include_details, maxChars }) }),
  ),
  tool(
    "compress_tool_result",
    "Shortens one tool result: `generic` keeps its beginning and end, `use_modification_metadata` only what the call did, `use_curator_cache` the lines of a file chosen for the task, if any were.",
    z.object({
      message_index: index,
      strategy: z.enum(["use_curator_cache", "use_modification_metadata", "generic"]).default("generic"),
    }),
    ({ message_index, strategy }, edits) => compressResult(edits, message_index, strategy),
  ),
  tool(
    "compress_conversation_segment",
    "Replaces messages start_index to end_index, oldest first, with the summary you write: the person's rules, decisions, names, results, open work.",
    z.object({ start_index: index, end_index: index, summary: z.string() }),
    ({ start_index, end_index, summary }, edits) => compressSegment(edits, start_index, end_index, summary),
  ),
  tool("verify_compression_target", "Reports whether the target is reached.", z.object({}), (_args, edits) => ({
    text: verificationText(edits),
  })),
]);
