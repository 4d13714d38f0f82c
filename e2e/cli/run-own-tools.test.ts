// Tools and scripts in their usual folders, which are protected against writing.
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type ModelServer, startModelServer, turns } from "@harness/testkit";
import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest";
import { TestHome } from "../../packages/cli/test/harness-process.ts";

const SCHEMA = {
  name: "word_count",
  description: "Counts words.",
  input_schema: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
};
/** As on the page of the contract: three flags, and nothing of ours. */
const TOOL = `#!/bin/sh
case $1 in
--schema) cat <<'END'
${JSON.stringify(SCHEMA)}
END
;;
--describe) echo "Counts words." ;;
--exec) tr -dc 'a-z ' | wc -w | tr -d ' ' ;;
esac
`;
const SCRIPT = "#!/bin/sh\necho ran:$1\n";

let place: TestHome;
const servers: ModelServer[] = [];
beforeEach(() => {
  // HARNESS_HOME is elsewhere in other tests: here everything is at its default location.
  place = new TestHome();
  place.env.HARNESS_HOME = undefined;
});
afterEach(() => place.remove());
afterAll(async () => {
  for (const each of servers) await each.close();
});

function put(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text, { mode: 0o755 });
}

/** The model's view of the result of its call. */
async function resultOf(call: Parameters<typeof turns.call>, ...flags: string[]): Promise<string> {
  const server = await startModelServer({
    scenario: { turns: [turns.call(...call), turns.say("Done.", { repeat: "always" })] },
  });
  servers.push(server);
  const { stderr } = await place.run(["run", ...flags, "go"], { env: server.environment });
  const body = server.chatRequests[1]?.body as { messages: { role: string; content: unknown }[] } | undefined;
  return JSON.stringify(body?.messages.findLast(({ role }) => role === "tool")?.content ?? stderr);
}

const count: Parameters<typeof turns.call> = ["word_count", { text: "a b c" }];
const policy = (rule: object) => JSON.stringify({ version: 1, rules: [{ decision: "allow", ...rule }] });

describe.each([
  ["~/.harness/tools", () => join(place.root, ".harness/tools"), []],
  ["~/.config/harness/tools", () => join(place.root, ".config/harness/tools"), []],
  [".harness/tools of a trusted project", () => join(place.cwd, ".harness/tools"), ["--trust"]],
])("a tool in %s", (_name, folder, trust) => {
  it.each([[["--permission-mode", "allow-all"]], [["--allow", "word_count"]], [["--allow", "*"]]])(
    "runs with %j where nobody can be asked",
    async (flags) => {
      put(join(folder(), "word_count"), TOOL);
      expect(await resultOf(count, ...flags, ...trust)).toContain("3");
    },
  );

  it("runs with a rule of a policy file, and with none it does not", async () => {
    put(join(folder(), "word_count"), TOOL);
    expect(await resultOf(count, ...trust)).toMatch(/denied|nobody can be asked/i);
    put(join(place.root, ".config/harness/policies.json"), policy({ tool: "word_count" }));
    expect(await resultOf(count, ...trust)).toContain("3");
  });
});

describe("a rule for a tool", () => {
  it("that nobody has is an error, and a deny rule for one's own tool denies it", async () => {
    put(join(place.root, ".harness/tools/word_count"), TOOL);
    expect(await resultOf(count, "--allow", "word_cuont")).toContain("there is no `word_cuont`");
    const denied = await resultOf(count, "--permission-mode", "allow-all", "--deny", "word_count");
    expect(denied).toMatch(/denied/i);
  });
});

describe("the script of a skill", () => {
  const scripts = [
    [".harness/skills/s/scripts/run.sh", "sh .harness/skills/s/scripts/run.sh x"],
    [".claude/skills/s/scripts/run.sh", "bash .claude/skills/s/scripts/run.sh x"],
    [".claude/skills/s/scripts/run.sh", ".claude/skills/s/scripts/run.sh x"],
    [".claude/skills/s/scripts/run.sh", "cd .claude/skills/s && ./scripts/run.sh"],
    [".claude/skills/s/scripts/run.sh", "timeout 20 sh -e .claude/skills/s/scripts/run.sh x"],
    ["../.claude/skills/s/scripts/run.sh", "sh ~/.claude/skills/s/scripts/run.sh x"],
  ] as const;

  it.each(scripts)("%s runs in allow-all by %s", async (path, command) => {
    put(join(place.cwd, path), SCRIPT);
    expect(await resultOf(["bash", { command }], "--permission-mode", "allow-all")).toContain("ran:");
  });

  it("runs with a rule that names it, and not without one", async () => {
    const command = "sh .claude/skills/s/scripts/run.sh x";
    put(join(place.cwd, ".claude/skills/s/scripts/run.sh"), SCRIPT);
    expect(await resultOf(["bash", { command }])).not.toContain("ran:x");
    const rule = "bash(sh .claude/skills/s/scripts/run.sh)";
    expect(await resultOf(["bash", { command }], "--allow", rule)).toContain("ran:x");
  });

  it.each([
    "sh .claude/skills/s/scripts/run.sh .claude/settings.json",
    "sh .claude/skills/s/scripts/run.sh > .claude/settings.json",
    "tee .claude/skills/s/scripts/run.sh",
    "sh -c 'echo > .claude/skills/s/scripts/run.sh'",
    'python3 -c \'open(".claude/settings.json","w")\' .claude/settings.json',
  ])("is no way to write there: %s", async (command) => {
    put(join(place.cwd, ".claude/skills/s/scripts/run.sh"), SCRIPT);
    expect(await resultOf(["bash", { command }], "--permission-mode", "allow-all")).toContain("protected file");
  });
});
