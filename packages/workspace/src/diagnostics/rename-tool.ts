import { createHash } from "node:crypto";
import { defineTool, type FileLedger, type FileStamp, type Tool, type ToolContext } from "@harness/core";
import { realPathOrSame } from "@harness/host";
import type { LanguageServers } from "@harness/lsp";
import * as z from "zod";

type LspModule = typeof import("@harness/lsp");

const MAX_TITLE = 200;

const args = z.strictObject({
  file_path: z.string().min(1),
  line: z.int().min(1).describe("A line with the name"),
  name: z.string().min(1).describe("The name, as in that line"),
  new_name: z.string().min(1),
});
/** `bound`: the edits that the server has proposed, and the files as it has seen them. */
type RenameCall = z.infer<typeof args> & { bound?: { edits: unknown; stamps: ReadonlyMap<string, FileStamp> } };

/**
 * Renames something in all files, as one call of the tool that edits: the language server says which lines change, and
 * the gate, undo and reviews see them as edits.
 */
export function renameTool(lsp: LspModule, servers: LanguageServers, edit: Tool): Tool {
  return defineTool<RenameCall>({
    name: "rename",
    description: "Renames a function, variable, class or the like in all files, by its language server.",
    args,
    category: "destructive",
    served: true,
    usesStaged: true,
    subject: "path",
    offer: "when-found",
    concurrency: () => "alone",
    effects: ({ file_path, bound }, cwd) =>
      bound ? edit.effects(bound.edits, cwd) : [{ kind: "write", path: lsp.absolute(file_path, cwd) }],
    title: ({ name, new_name }) => `rename ${name} to ${new_name}`.replace(/\p{Cc}/gu, " ").slice(0, MAX_TITLE),
    async bind(call, context) {
      const { file_path: path, line, name, new_name: newName } = call;
      const { cwd, signal } = context;
      const question = { cwd, signal, method: "textDocument/rename", more: { newName } };
      const asked = await lsp.askAbout(servers, { path, line, name }, question);
      if ("problem" in asked) return asked;
      const lines = lsp.renamedLines(asked.answer, lsp.fileText);
      if ("problem" in lines) return lines;
      if (lines.length === 0) return { problem: `${name} cannot be renamed here.` };
      const paths = [...new Set(lines.map((each) => each.path))];
      const waiting = paths.find((each) => context.staged?.find(realPathOrSame(each)));
      if (waiting !== undefined) return { problem: `${waiting} has changes that wait for a review: rename after it.` };
      const edits = {
        edits: lines.map((each) => ({
          file_path: each.path,
          start_line: each.line,
          end_line: each.line,
          content: each.text,
        })),
      };
      return { args: { ...call, bound: { edits, stamps: stampsOf(paths, lsp.fileText) } } };
    },
    preview: async ({ bound }, context, approval) => edit.preview?.(bound?.edits, seeing(context, bound), approval),
    run: async ({ bound }, context, approval) => edit.run(bound?.edits, seeing(context, bound), approval),
    ...(edit.watch ? { watch: edit.watch } : {}),
  });
}

/** The server has read the files for the agent; a file that has changed since is not edited. */
function seeing(context: ToolContext, bound: RenameCall["bound"]): ToolContext {
  const { files } = context;
  const ledger: FileLedger = {
    seen: (path) => bound?.stamps.get(path) ?? files.seen(path),
    record: (path, stamp, how) => files.record(path, stamp, how),
  };
  return { ...context, files: ledger };
}

function stampsOf(paths: readonly string[], textOf: (path: string) => string | undefined): Map<string, FileStamp> {
  const stamps = new Map<string, FileStamp>();
  for (const path of paths) {
    const bytes = Buffer.from(textOf(path) ?? "");
    const sha256 = createHash("sha256").update(bytes).digest("hex");
    stamps.set(realPathOrSame(path), { sizeBytes: bytes.length, sha256 });
  }
  return stamps;
}
