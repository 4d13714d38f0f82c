// A trusted project whose files change one by one, over the wire of a real server process.
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Permission } from "@harness/protocol";
import { turns } from "@harness/testkit";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { LiveServer, say } from "../support/live-server.ts";

const tool = (name: string, says: string) =>
  `#!/bin/sh\ncase $1 in --schema) echo '{"name":"${name}","description":"d","input_schema":{"type":"object","properties":{}}}';; *) echo '${says}';; esac\n`;
const APPROVE = `#!/bin/sh\ncall=$(cat)\ncase $call in *forbidden*) echo '{"error":"No."}'; exit 1 ;; esac\nprintf '%s' "$call"\n`;

let live: LiveServer;
let asked: Permission[] = [];
let client: Awaited<ReturnType<LiveServer["connect"]>>["client"];
let sessionId = "";
afterEach(() => live.close());

function put(path: string, content: string, mode = 0o755): void {
  const whole = join(live.cwd, path);
  mkdirSync(dirname(whole), { recursive: true });
  writeFileSync(whole, content, { mode });
}

beforeEach(async () => {
  asked = [];
  live = await LiveServer.start({ turns: [] });
  mkdirSync(join(live.cwd, ".git"), { recursive: true });
  put(".harness/tools/shadow", tool("shadow", "of the project"));
  put(".harness/tools/other", tool("other", "the other"));
  put(".harness/hooks.d/tool_exec/05-approve", APPROVE);
  mkdirSync(join(live.home, "tools"), { recursive: true });
  writeFileSync(join(live.home, "tools/shadow"), tool("shadow", "of the person"), { mode: 0o755 });
  ({ client } = await live.connect(async ({ permission }) => {
    asked.push(permission);
    const yes = permission.options.find(({ kind }) => kind === "allow_once");
    return { outcome: "selected", optionId: yes?.optionId ?? "" };
  }));
  await trust();
  const { session } = await client.call("session/new", {
    cwd: live.cwd,
    config: { permissionMode: "allow-all" },
  });
  sessionId = session.sessionId;
});

async function trust() {
  const { hash } = await client.call("trust/get", { cwd: live.cwd });
  return client.call("trust/set", { cwd: live.cwd, hash, decision: "trust" });
}

/** The results of calls that the model makes in one message. */
async function calling(promptId: string, ...calls: [string, Record<string, unknown>][]): Promise<string[]> {
  live.model.setScenario({
    turns: [...calls.map(([name, args]) => turns.call(name, args)), turns.say("end", { repeat: "always" })],
  });
  const before = live.updates.length;
  const seq = live.updates.at(-1)?.seq ?? 0;
  await client.call("session/prompt", { sessionId, promptId, prompt: say("go") });
  await live.idle(seq);
  return live.updates
    .slice(before)
    .flatMap(({ update }) =>
      update.sessionUpdate === "tool_call_update" && update.outcome ? [update.outcome.text.trim()] : [],
    );
}

const notices = () =>
  live.updates.flatMap(({ update }) => (update.sessionUpdate === "notice" ? [update.title] : [])).join("\n");

describe("one file of a trusted project that changes", () => {
  it("is off alone, with its name; its namesake of the person does not take its place", async () => {
    expect(await calling("1", ["shadow", {}])).toEqual(["of the project"]);
    put(".harness/tools/shadow", tool("shadow", "changed"));
    expect(await client.call("trust/get", { cwd: live.cwd })).toMatchObject({ state: "changed" });
    const [gone, other, refused] = await calling(
      "2",
      ["shadow", {}],
      ["other", {}],
      ["bash", { command: "echo forbidden" }],
    );
    expect(gone).toContain("There is no tool `shadow`");
    expect(other).toBe("the other");
    expect(refused).toContain("refused by the hook 05-approve");
    expect(asked).toEqual([]);
    expect(notices()).toContain(
      `changed, and off until you trust it again (/trust): tool shadow (${join(live.cwd, ".harness/tools/shadow")})`,
    );
    await trust();
    expect(await calling("3", ["shadow", {}])).toEqual(["changed"]);
  });

  it("that is new is not trusted, and takes nothing else away", async () => {
    put(".harness/tools/added", tool("added", "new"));
    const [added, shadow] = await calling("1", ["added", {}], ["shadow", {}]);
    expect(added).toContain("There is no tool `added`");
    expect(shadow).toBe("of the project");
  });

  it.each<[string, () => void]>([
    ["has changed", () => put(".harness/hooks.d/tool_exec/05-approve", "#!/bin/sh\ncat\n")],
    ["is gone", () => rmSync(join(live.cwd, ".harness/hooks.d/tool_exec/05-approve"))],
    ["may no longer be run", () => put(".harness/hooks.d/tool_exec/05-approve.conf", "timeout=1\n")],
  ])("makes calls wait for the person in every mode where it judges them and %s", async (_, change) => {
    change();
    const [ran] = await calling("1", ["bash", { command: "echo forbidden" }]);
    expect(ran).toContain("forbidden");
    expect(asked).toHaveLength(1);
    expect(asked[0]?.reason).toContain("05-approve");
    await trust();
    asked = [];
    await calling("2", ["bash", { command: "echo fine" }]);
    expect(asked).toEqual([]);
  });

  it("that was refused by the person counts as decided", async () => {
    put(".harness/tools/shadow", tool("shadow", "changed"));
    const { hash } = await client.call("trust/get", { cwd: live.cwd });
    await client.call("trust/set", { cwd: live.cwd, hash, decision: "refuse" });
    const [shadow] = await calling("1", ["shadow", {}]);
    expect(shadow).toBe("of the person");
  });
});
