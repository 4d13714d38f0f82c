import type { Tool } from "@harness/core";
import type { NewFiles } from "../executables/new-files.ts";

/** The same tool, with a note in its result if a call has put programs where harness would run them. */
export function noteNewFiles(tool: Tool, files: Pick<NewFiles, "before" | "after">): Tool {
  if (tool.category !== "destructive") return tool;
  return {
    ...tool,
    async run(args, context, approval) {
      // Such a command writes nothing, and checking all sources would take a tenth of its turn.
      if (approval.changesNothing) return await tool.run(args, context, approval);
      const before = files.before();
      const result = await tool.run(args, context, approval);
      const notes = await files.after(before, context);
      return notes.length === 0 ? result : { ...result, text: [result.text, ...notes].join("\n") };
    },
  };
}
