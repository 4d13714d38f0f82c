import { call, calling, MemorySession, memoryTools, saying } from "@harness/testkit";
import { describe, expect, it } from "vitest";

/** The disk accesses for one call, in a session that has looked at its workspace before. */
async function asked(tool: string, args: Record<string, unknown>): Promise<string[]> {
  const looks: string[] = [];
  const seen = <T>(kind: string, answer: (path: string) => T) => {
    return async (path: string) => {
      looks.push(`${kind} ${path}`);
      return answer(path);
    };
  };
  const memory = new MemorySession({
    script: [calling(call("a", tool, args)), saying("done")],
    tools: memoryTools(new Map([["/work/a.ts", "a"]])),
    options: { permission_mode: "allow-all" },
    ports: { paths: { real: seen("real", (path) => path), identity: seen("identity", (path) => path) } },
  });
  looks.length = 0;
  await memory.say("go");
  return looks;
}

describe("the places that a decision asks the disk for", () => {
  const cwd = ["real /work", "identity /work"];

  it.each<[string, string, Record<string, unknown>, string[]]>([
    ["of a read in the workspace", "read", { file_path: "a.ts" }, ["real /work/a.ts"]],
    ["of a write", "write", { file_path: "a.ts", content: "b" }, ["real /work/a.ts"]],
    ["of a command", "bash", { command: "npm test" }, []],
    ["of a read elsewhere", "read", { file_path: "/else/a" }, ["real /else/a", "real /blobs"]],
  ])("are each asked for once a look: those %s", async (_name, tool, args, more) => {
    const looks = await asked(tool, args);
    expect(looks.slice(0, looks.length / 2).sort()).toEqual([...cwd, ...more].sort());
    // The same again right before it runs.
    expect(looks.slice(looks.length / 2).sort()).toEqual([...cwd, ...more].sort());
  });
});
