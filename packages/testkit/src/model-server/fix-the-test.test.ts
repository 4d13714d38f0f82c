import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import OpenAI from "openai";
import type { ChatCompletionMessageParam } from "openai/resources/chat/completions";
import { afterEach, describe, expect, it } from "vitest";
import { startModelServer } from "./server.ts";
import { writeBrokenProject } from "./write-broken-project.ts";

const run = promisify(execFile);
const cleanUps: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0)) await cleanUp();
});

async function temporaryDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), "model-server-"));
  cleanUps.push(() => rm(directory, { recursive: true }));
  return directory;
}

/** The smallest tools that the scenario needs, working on real files. */
const tools: Record<string, (args: Record<string, string>, cwd: string) => Promise<string>> = {
  read: ({ file_path }) => readFile(file_path ?? "", "utf8"),
  edit: async ({ file_path = "", old_string = "", new_string = "" }) => {
    const before = await readFile(file_path, "utf8");
    expect(before.split(old_string).length).toBe(2);
    await writeFile(file_path, before.replace(old_string, new_string));
    return "edited";
  },
  bash: async ({ command = "" }, cwd) => {
    const result = await run("sh", ["-c", command], { cwd }).catch((error: { stdout: string }) => error);
    return result.stdout;
  },
};

describe("scenarios/fix-the-test.json", () => {
  it("leads an agent from a red test to a green one", async () => {
    const cwd = await temporaryDirectory();
    const project = await writeBrokenProject(cwd);
    const scenario = JSON.parse(await readFile(new URL("scenarios/fix-the-test.json", import.meta.url), "utf8"));
    const server = await startModelServer({ scenario, variables: { cwd } });
    cleanUps.push(() => server.close());
    const client = new OpenAI({ baseURL: server.baseUrl, apiKey: "test", maxRetries: 0 });
    const messages: ChatCompletionMessageParam[] = [{ role: "user", content: "Fix the failing test." }];
    const used: string[] = [];
    for (;;) {
      const completion = await client.chat.completions.stream({ model: "m", messages }).finalChatCompletion();
      const message = completion.choices[0]?.message;
      if (message === undefined) throw new Error("No message.");
      messages.push(message);
      for (const call of message.tool_calls ?? []) {
        if (call.type !== "function") continue;
        used.push(call.function.name);
        const text = await tools[call.function.name]?.(JSON.parse(call.function.arguments), cwd);
        messages.push({ role: "tool", tool_call_id: call.id, content: text ?? "unknown tool" });
      }
      if (message.tool_calls === undefined) break;
    }
    expect(used).toEqual(["read", "read", "edit", "bash", "edit", "bash"]);
    expect(messages.at(-1)?.content).toContain("The tests are green");
    expect(server.problems).toEqual([]);
    expect(await readFile(project.sourceFile, "utf8")).toContain("for (const number of numbers)");
    const changed = await run("git", ["status", "--porcelain"], { cwd });
    expect(changed.stdout).toBe(" M src/sum.js\n");
  });
});

describe("writeBrokenProject", () => {
  it("makes the same commit every time, and a test that fails", async () => {
    const [one, two] = [await temporaryDirectory(), await temporaryDirectory()];
    for (const directory of [one, two]) await writeBrokenProject(directory);
    const head = async (cwd: string) => (await run("git", ["rev-parse", "HEAD"], { cwd })).stdout;
    expect(await head(one)).toBe(await head(two));
    await expect(run(process.execPath, ["--test"], { cwd: one })).rejects.toMatchObject({ code: 1 });
  });
});
