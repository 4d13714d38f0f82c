import { defineTool, type Tool, type ToolApproval, type ToolContext, type ToolResult } from "@harness/core";
import * as z from "zod";

type Run<A> = (args: A, context: ToolContext, approval: ToolApproval) => Promise<ToolResult> | ToolResult;

const ok = (text: string): ToolResult => ({ status: "ok", text, blocks: [] });
const absolute = (path: string, cwd: string): string => (path.startsWith("/") ? path : `${cwd}/${path}`);

/** Tools over a map of files, with the names and effects of the real ones. */
export function memoryTools(files: Map<string, string> = new Map()): Tool[] {
  return [
    defineTool({
      name: "read",
      description: "Read a file.",
      args: z.object({ file_path: z.string(), limit: z.number().int().optional() }),
      category: "readOnly",
      subject: "path",
      effects: ({ file_path }, cwd) => [{ kind: "read", path: absolute(file_path, cwd) }],
      title: ({ file_path }) => `read ${file_path}`,
      run: async ({ file_path }, { cwd }) => {
        const text = files.get(absolute(file_path, cwd));
        return text === undefined ? { status: "error", text: `${file_path} does not exist`, blocks: [] } : ok(text);
      },
    }),
    defineTool({
      name: "write",
      description: "Write a file.",
      args: z.object({ file_path: z.string(), content: z.string() }),
      category: "destructive",
      subject: "path",
      effects: ({ file_path }, cwd) => [{ kind: "write", path: absolute(file_path, cwd) }],
      title: ({ file_path }) => `write ${file_path}`,
      run: async ({ file_path, content }, { cwd }) => {
        files.set(absolute(file_path, cwd), content);
        return ok(`wrote ${content.length} characters`);
      },
    }),
    commandTool(({ command }) => ok(`ran ${command}`)),
  ];
}

/** A `bash` that only runs the given function. */
export function commandTool(run: Run<{ command: string }>): Tool {
  return defineTool({
    name: "bash",
    description: "Run a command.",
    args: z.object({ command: z.string() }),
    category: "destructive",
    subject: "argv",
    effects: ({ command }, cwd) => [{ kind: "run", command, cwd }],
    title: ({ command }) => `bash ${command}`,
    run: async (...call) => await run(...call),
  });
}

/** A harmless tool without arguments that need the user's consent; the test defines its effect. */
export function probeTool(name: string, run: Run<Record<string, unknown>>): Tool {
  return defineTool({
    name,
    description: `The ${name} of a test.`,
    args: z.looseObject({}),
    category: "readOnly",
    effects: () => [],
    title: () => name,
    run: async (...call) => await run(...call),
  });
}
