// Hooks in Claude's format, as in the settings of Claude Code, over the wire of a real server process.
import { existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { HarnessClient } from "@harness/client";
import type { Permission } from "@harness/protocol";
import { startSubagentCall, turns } from "@harness/testkit";
import { afterEach, describe, expect, it } from "vitest";
import { LiveServer, say } from "../support/live-server.ts";

let live: LiveServer;
afterEach(() => live.close());

type Scenario = Parameters<typeof LiveServer.start>[0];
type Script = Exclude<Scenario["turns"], undefined>;
type Groups = { matcher?: string; hooks: { type: "command"; command: string; timeout?: number }[] }[];

async function start(script: Script | Scenario) {
  live = await LiveServer.start(Array.isArray(script) ? { turns: script } : script);
  mkdirSync(join(live.cwd, ".git"), { recursive: true });
  writeFileSync(join(live.cwd, "a.txt"), "one\n");
  const asked: Permission[] = [];
  const { client } = await live.connect(async ({ permission }) => {
    asked.push(permission);
    return {
      outcome: "selected",
      optionId: permission.options.find(({ kind }) => kind === "allow_once")?.optionId ?? "",
    };
  });
  return { client, asked };
}

function put(path: string, content: unknown, mode = 0o644): string {
  const whole = path.startsWith("/") ? path : join(live.cwd, path);
  mkdirSync(dirname(whole), { recursive: true });
  writeFileSync(whole, typeof content === "string" ? content : JSON.stringify(content), { mode });
  return whole;
}
const on = (command: string, matcher?: string): Groups => [
  { ...(matcher !== undefined && { matcher }), hooks: [{ type: "command", command }] },
];
/** The user's own hooks, which need no trust. */
const mine = (hooks: Record<string, Groups>) => put(join(live.home, ".claude/settings.json"), { hooks });
const theirs = (hooks: Record<string, Groups>) => put(".claude/settings.json", { hooks });
async function trust(client: HarnessClient): Promise<void> {
  const { hash } = await client.call("trust/get", { cwd: live.cwd });
  await client.call("trust/set", { cwd: live.cwd, hash, decision: "trust" });
}
const open = async (client: HarnessClient) => (await client.call("session/new", { cwd: live.cwd })).session.sessionId;
let prompts = 0;
/** Resolves when the turn of this message is over. */
async function tell(client: HarnessClient, sessionId: string, text: string): Promise<void> {
  const after = live.lastSeq;
  prompts += 1;
  await client.call("session/prompt", { sessionId, promptId: `p-${prompts}`, prompt: say(text) });
  await live.idle(after);
}
const outcomes = () =>
  live.updates.flatMap(({ update }) =>
    update.sessionUpdate === "tool_call_update" && update.outcome ? [update.outcome] : [],
  );
const lastRequest = () => JSON.stringify(live.model.chatRequests.at(-1)?.body);
/** Stores the input of each event, one per line. */
const keep = () => `cat >> '${join(live.root, "events.jsonl")}'`;
const kept = (): Record<string, unknown>[] =>
  readFileSync(join(live.root, "events.jsonl"), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
const edit = turns.call("write", { file_path: "b.txt", content: "x" });

describe("hooks in Claude's form over the wire", () => {
  it("hooks of a cloned project do nothing before it is trusted, and block an edit afterwards", async () => {
    const { client, asked } = await start([edit, turns.say("done"), edit, turns.say("done")]);
    theirs({ PreToolUse: on('"$CLAUDE_PROJECT_DIR"/.claude/hooks/frozen.sh', "Edit|Write") });
    put(".claude/hooks/frozen.sh", '#!/bin/sh\necho "the release is frozen" >&2\nexit 2\n', 0o755);
    const sessionId = await open(client);
    await tell(client, sessionId, "one");
    expect(existsSync(join(live.cwd, "b.txt"))).toBe(true);
    expect(asked).toHaveLength(1);
    const before = (await client.call("hooks/list", { cwd: live.cwd })).hooks.filter(({ form }) => form === "claude");
    expect(before).toMatchObject([{ trusted: false, problem: expect.stringContaining("is not trusted") }]);

    await trust(client);
    await tell(client, sessionId, "two");
    expect(outcomes().at(-1)).toMatchObject({
      status: "denied",
      text: expect.stringContaining("the release is frozen"),
    });
    expect(lastRequest()).toContain("is refused by a hook: the release is frozen");
    expect(asked).toHaveLength(1);
    const { hooks, lines } = await client.call("hooks/why", { cwd: live.cwd, event: "PreToolUse" });
    expect(hooks).toMatchObject([
      { matcher: "Edit|Write", trusted: true, last: { outcome: "refused", exit: "exit 2" } },
    ]);
    expect(lines.join("\n")).toContain("the release is frozen");
  });

  it("hooks get events under the names of Claude Code", async () => {
    const { client } = await start([
      turns.call("edit", { file_path: "a.txt", old_string: "one", new_string: "two" }),
      turns.call("bash", { command: "touch made; echo hi", timeout_ms: 5_000 }),
      turns.say("All done."),
    ]);
    const all = Object.fromEntries(
      ["SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "Notification", "Stop", "SessionEnd"].map(
        (event) => [event, on(keep())],
      ),
    );
    mine(all);
    const sessionId = await open(client);
    await tell(client, sessionId, "change it");
    await client.call("session/close", { sessionId });
    const events = kept();
    const cwd = live.cwd;
    const common = {
      session_id: sessionId,
      cwd,
      permission_mode: "default",
      transcript_path: expect.stringMatching(/log\.jsonl$/),
    };
    const file = join(cwd, "a.txt");
    const of = (name: string) => events.filter((event) => event.hook_event_name === name);
    for (const event of events) expect(event).toMatchObject(common);
    expect(of("SessionStart")).toMatchObject([{ source: "startup" }]);
    expect(of("UserPromptSubmit")).toMatchObject([{ prompt: "change it" }]);
    expect(of("PreToolUse")).toMatchObject([
      { tool_name: "Edit", tool_input: { file_path: file, old_string: "one", new_string: "two", replace_all: false } },
      { tool_name: "Bash", tool_input: { command: "touch made; echo hi", timeout: 5_000 } },
    ]);
    expect(of("PostToolUse")).toMatchObject([
      { tool_name: "Bash", tool_response: { stdout: expect.stringContaining("hi"), interrupted: false } },
    ]);
    expect(of("Notification")[0]).toMatchObject({ notification_type: "permission_prompt" });
    expect(of("Stop")).toMatchObject([{ stop_hook_active: false, last_assistant_message: "All done." }]);
    expect(of("SessionEnd")).toMatchObject([{ reason: "other" }]);
    expect(String(events[0]?.transcript_path).startsWith(realpathSync(live.home))).toBe(true);
  });

  it("hooks deny, ask, change arguments and add words for the model by their JSON", async () => {
    const { client, asked } = await start([
      turns.call("bash", { command: "ls" }),
      turns.call("read", { file_path: "a.txt" }),
      turns.call("bash", { command: "echo old" }),
      turns.say("done"),
    ]);
    const script = put(
      join(live.root, "judge.mjs"),
      `import { readFileSync } from "node:fs";
const { hook_event_name: hookEventName, tool_name: tool, tool_input: input } = JSON.parse(readFileSync(0, "utf8"));
const say = (more) => console.log(JSON.stringify({ hookSpecificOutput: { hookEventName, ...more } }));
if (hookEventName === "PostToolUse") say({ additionalContext: "remember the tests" });
else if (input.command === "ls") say({ permissionDecision: "ask", permissionDecisionReason: "listing is a secret" });
else if (tool === "Read") say({ permissionDecision: "deny", permissionDecisionReason: "not this file" });
else say({ permissionDecision: "allow", updatedInput: { command: "echo new" } });
`,
    );
    mine({ PreToolUse: on(`node '${script}'`), PostToolUse: on(`node '${script}'`, "Bash") });
    const sessionId = await open(client);
    await tell(client, sessionId, "go");
    expect(asked.map(({ reason }) => reason)).toEqual([expect.stringContaining("listing is a secret")]);
    const [first, second, third] = outcomes();
    expect(first).toMatchObject({ status: "ok", text: expect.stringContaining("[A hook says: remember the tests]") });
    expect(second).toMatchObject({ status: "denied", text: expect.stringContaining("not this file") });
    expect(third?.text).toMatch(/^new/);
    expect(live.updates.some(({ update }) => update.sessionUpdate === "repair")).toBe(true);
  });

  it("hooks allow nothing that a rule denies, and a broken one changes nothing", async () => {
    const { client } = await start([turns.call("bash", { command: "make release" }), turns.say("done")]);
    mine({
      PreToolUse: [
        ...on(`echo '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow"}}'`),
        ...on("exit 1"),
      ],
    });
    put(".harness/policies.json", { version: 1, rules: [{ decision: "deny", tool: "bash", argv: ["make"] }] });
    const sessionId = await open(client);
    await tell(client, sessionId, "go");
    expect(outcomes()).toMatchObject([{ status: "denied", text: expect.stringContaining("rule") }]);
    expect(
      live.updates.some(
        ({ update }) => update.sessionUpdate === "notice" && update.description?.includes("failed with exit code 1"),
      ),
    ).toBe(true);
  });

  it.each([
    ["has no bit to run", "./guard.sh", 0o644, "not executable"],
    ["is missing", "./missing.sh", 0o755, "no such command"],
    ["is killed", "kill -9 $$", 0o755, "was killed by"],
    ["starts a program that is killed", "sh -c 'kill -9 $$'; exit $?", 0o755, "was killed by SIGKILL"],
  ])("a hook that guards and %s refuses the call, whatever the mode", async (_what, command, mode, words) => {
    const { client } = await start([edit, turns.say("done")]);
    put("guard.sh", "#!/bin/sh\nexit 2\n", mode);
    mine({ PreToolUse: on(command) });
    const config = { permissionMode: "allow-all" } as const;
    const { sessionId } = (await client.call("session/new", { cwd: live.cwd, config })).session;
    await tell(client, sessionId, "go");
    expect(existsSync(join(live.cwd, "b.txt"))).toBe(false);
    expect(lastRequest()).toContain(words);
  });

  it("a hook at the end of a turn sends the agent back to work, and knows that it did", async () => {
    const { client } = await start([turns.say("Finished."), turns.say("Now really.")]);
    const script = put(
      join(live.root, "stop.sh"),
      `input=$(cat)\necho "$input" >> '${join(live.root, "events.jsonl")}'\ncase "$input" in *'"stop_hook_active":true'*) exit 0;; esac\necho "run the tests first" >&2\nexit 2\n`,
    );
    mine({ Stop: on(`sh '${script}'`) });
    const sessionId = await open(client);
    await tell(client, sessionId, "go");
    expect(live.model.chatRequests).toHaveLength(2);
    expect(lastRequest()).toContain("run the tests first");
    expect(kept().map(({ stop_hook_active }) => stop_hook_active)).toEqual([false, true]);
  });

  it("a hook refuses a message with its words, or adds to it, and that of the start is heard once", async () => {
    const { client } = await start([turns.say("one"), turns.say("two")]);
    const script = put(
      join(live.root, "prompt.sh"),
      'case "$(cat)" in *secret*) echo "no secrets" >&2; exit 2;; esac\necho "It is Monday."\n',
    );
    mine({ UserPromptSubmit: on(`sh '${script}'`), SessionStart: on("echo 'Use tabs.'") });
    const sessionId = await open(client);
    await expect(tell(client, sessionId, "a secret")).rejects.toMatchObject({
      message: expect.stringContaining("no secrets"),
    });
    expect(live.model.chatRequests).toHaveLength(0);
    await tell(client, sessionId, "hello");
    expect(lastRequest()).toMatch(/hello.*Use tabs\..*It is Monday\./s);
    await tell(client, sessionId, "again");
    expect(lastRequest().split("Use tabs.")).toHaveLength(2);
  });

  it("a hook hears and refuses messages that commands make, and those that wait in the queue or steer", async () => {
    const { client } = await start([turns.say("ok", { repeat: "always" })]);
    const script = put(
      join(live.root, "prompt.sh"),
      `input=$(cat)\necho "$input" >> '${join(live.root, "events.jsonl")}'\ncase "$input" in *secret*) echo "no secrets" >&2; exit 2;; esac\necho "It is Monday."\n`,
    );
    mine({ UserPromptSubmit: on(`sh '${script}'`) });
    put(join(live.home, "commands/review.md"), "Review $1.");
    put(join(live.home, "skills/pdf/SKILL.md"), "---\nname: pdf\ndescription: Fills forms.\n---\nFill $1.");
    const sessionId = await open(client);
    const typed = [
      ["review", "12"],
      ["pdf", "a.pdf"],
      ["use", "pdf b.pdf"],
      ["init", ""],
    ] as const;
    for (const [name, args] of typed) {
      const { turnId } = await client.call("command/run", { sessionId, name, args });
      await live.until(
        (each) =>
          each.turnId === turnId && each.update.sessionUpdate === "state_update" && each.update.state === "idle",
      );
      expect(lastRequest()).toContain("It is Monday.");
    }
    expect(kept().map(({ prompt }) => prompt)).toEqual(["/review 12", "/pdf a.pdf", "/use pdf b.pdf", "/init"]);
    const requests = live.model.chatRequests.length;
    for (const name of ["review", "pdf", "use", "init"])
      await expect(client.call("command/run", { sessionId, name, args: "pdf secret" })).rejects.toMatchObject({
        message: "A hook refused the message: no secrets",
      });
    for (const delivery of ["queue", "steer"] as const) {
      const message = { sessionId, promptId: `of-${delivery}`, prompt: say("a secret"), delivery };
      await expect(client.call("session/prompt", message)).rejects.toMatchObject({
        message: "A hook refused the message: no secrets",
      });
    }
    expect(live.model.chatRequests).toHaveLength(requests);
  });

  it("a hook of the start hears of a compaction, and the agent gets its output once", async () => {
    const { client } = await start(Array.from({ length: 12 }, () => turns.say("ok")));
    mine({ SessionStart: on("cat > /dev/null; echo 'Use tabs again.'", "compact") });
    const sessionId = await open(client);
    for (let n = 1; n <= 8; n += 1) await tell(client, sessionId, `message ${n}`);
    expect(lastRequest()).not.toContain("Use tabs again.");
    await client.call("session/compact", { sessionId });
    await tell(client, sessionId, "go on");
    expect(lastRequest()).toMatch(/go on.*Use tabs again\./s);
    await tell(client, sessionId, "and on");
    expect(lastRequest().split("Use tabs again.")).toHaveLength(2);
  });

  it("a hook at the end of a subagent keeps it at work, and knows which agent ends", async () => {
    const { client } = await start({
      lanes: [
        { match: "task one", turns: [turns.say("half done"), turns.say("all done")] },
        { match: "go", turns: [turns.calls([startSubagentCall("task one")]), turns.say("fine", { repeat: "always" })] },
      ],
    });
    const script = put(
      join(live.root, "stop.sh"),
      `input=$(cat)\necho "$input" >> '${join(live.root, "events.jsonl")}'\ncase "$input" in *'"stop_hook_active":true'*) exit 0;; esac\necho '{"decision":"block","reason":"do the other half"}'\n`,
    );
    mine({ SubagentStop: on(`sh '${script}'`) });
    const sessionId = await open(client);
    await tell(client, sessionId, "go");
    expect(kept()).toMatchObject([
      { hook_event_name: "SubagentStop", agent_id: "agent-1", last_assistant_message: "half done" },
      { agent_id: "agent-1", stop_hook_active: true, last_assistant_message: "all done" },
    ]);
    expect(live.model.chatRequests.map(({ body }) => JSON.stringify(body)).join("\n")).toContain("do the other half");
  });

  it("a hook refuses a compaction with its words, and hears who wanted it", async () => {
    const { client } = await start(Array.from({ length: 8 }, () => turns.say("ok")));
    const refuse = `cat >> '${join(live.root, "events.jsonl")}'; echo "not before lunch" >&2; exit 2`;
    mine({ PreCompact: on(refuse, "manual") });
    const sessionId = await open(client);
    for (let n = 1; n <= 8; n += 1) await tell(client, sessionId, `message ${n}`);
    await expect(client.call("session/compact", { sessionId, instructions: "the count" })).rejects.toMatchObject({
      message: expect.stringContaining("A hook refused the compaction: not before lunch"),
    });
    expect(kept()).toMatchObject([
      { hook_event_name: "PreCompact", trigger: "manual", custom_instructions: "the count" },
    ]);
  });

  it("a hook that takes too long refuses the call, and its group is ended", async () => {
    const { client } = await start([edit, turns.say("done")]);
    mine({ PreToolUse: [{ matcher: "Write", hooks: [{ type: "command", command: "sleep 60", timeout: 0.2 }] }] });
    const sessionId = await open(client);
    await tell(client, sessionId, "go");
    expect(outcomes()).toMatchObject([{ status: "denied", text: expect.stringContaining("did not end within 0.2 s") }]);
    expect(existsSync(join(live.cwd, "b.txt"))).toBe(false);
  });
});
