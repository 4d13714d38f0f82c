import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Tool, ToolApproval, ToolContext, ToolResult } from "@harness/core";
import { MemoryLedger } from "@harness/testkit";

/** A folder of its own and a session's context in it, for trying a tool in tests. */
export type Trial = {
  root: string;
  context: ToolContext;
  /** Approves everything, outside of a sandbox. */
  approval: ToolApproval;
  /** The output that the tool has emitted so far. */
  emitted(): string;
  /** Validates and runs. */
  run(tool: Tool, args: unknown, over?: Partial<ToolContext & ToolApproval>): Promise<ToolResult>;
  /** Writes a file with its folders; answers its absolute path. */
  file(name: string, content?: string | Uint8Array): string;
  /** Creates a named pipe without a writer. */
  fifo(name: string): void;
  bytes(name: string): Buffer;
  text(name: string): string;
  remove(): void;
};

export function createTrial(): Trial {
  const top = realpathSync(mkdtempSync(join(tmpdir(), "harness-tools-")));
  const root = join(top, "root");
  mkdirSync(root);
  let emitted = "";
  let spills = 0;
  const context: ToolContext = {
    staged: undefined,
    extracts: undefined,
    askModel: undefined,
    traceparent: undefined,
    ask: undefined,
    agentId: "main",
    cwd: root,
    signal: new AbortController().signal,
    emit(text) {
      emitted += text;
    },
    files: new MemoryLedger(),
    spill(suffix) {
      const path = join(top, `spill-${++spills}${suffix}`);
      writeFileSync(path, "", { mode: 0o600, flag: "wx" });
      return path;
    },
  };
  const approval: ToolApproval = { realPaths: new Map(), roots: [root], sandboxed: false };
  return {
    root,
    context,
    approval,
    emitted: () => emitted,
    run(tool, args, over = {}) {
      const given = { ...context, ...approval, ...over };
      return tool.run(tool.args.parse(args), given, given);
    },
    file(name, content = "") {
      const path = join(root, name);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, content);
      return path;
    },
    fifo(name) {
      execFileSync("sh", ["-c", 'mkfifo "$0"', join(root, name)]);
    },
    bytes: (name) => readFileSync(join(root, name)),
    text: (name) => readFileSync(join(root, name), "utf8"),
    remove: () => rmSync(top, { recursive: true, force: true }),
  };
}
