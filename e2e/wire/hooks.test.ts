// Hooks of a real server: found, trusted, run, listed, and inspected afterwards.
import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { HarnessClient } from "@harness/client";
import { type ScenarioInput, turns } from "@harness/testkit";
import { afterEach, describe, expect, it } from "vitest";
import { choose, LiveServer, say } from "../support/live-server.ts";

const examples = resolve(import.meta.dirname, "../../examples/plugins");

let live: LiveServer;
afterEach(() => live.close());

async function start(scenario: ScenarioInput, env: Record<string, string> = {}): Promise<HarnessClient> {
  live = await LiveServer.start(scenario);
  mkdirSync(join(live.cwd, ".git"), { recursive: true });
  mkdirSync(live.home, { recursive: true });
  return (await live.connect(choose("allow_once"), env)).client;
}

function put(path: string, text: string, mode = 0o755): string {
  const whole = join(live.root, path);
  mkdirSync(dirname(whole), { recursive: true });
  writeFileSync(whole, text);
  chmodSync(whole, mode);
  return whole;
}

/** Installs an example as the user's plugin. */
function install(name: string): void {
  cpSync(join(examples, name), join(live.home, "plugins", name), { recursive: true });
}

async function prompt(client: HarnessClient, text: string, sessionId?: string): Promise<string> {
  const id = sessionId ?? (await client.call("session/new", { cwd: live.cwd })).session.sessionId;
  const after = live.lastSeq;
  await client.call("session/prompt", { sessionId: id, promptId: `p${after}`, prompt: say(text) });
  await live.idle(after);
  return id;
}
const outcomes = () =>
  live.updates.flatMap(({ update }) =>
    update.sessionUpdate === "tool_call_update" && update.outcome ? [update.outcome] : [],
  );
/** Requests to the model; there are others about its capabilities. */
const asked = () => live.model.requests.flatMap(({ body }) => (isRequest(body) ? [body] : []));
function isRequest(body: unknown): body is { messages: unknown[] } {
  return typeof body === "object" && body !== null && "messages" in body;
}
const systems = () => asked().map(({ messages }) => JSON.stringify(messages[0]));
const two = { turns: [turns.call("bash", { command: "touch made" }), turns.say("All right.")] };

describe("hooks of a server", () => {
  it("hooks of a clone run once its folder is trusted, and are asked why they did or did not", async () => {
    const client = await start({ turns: [turns.say("One."), turns.say("Two.")] });
    const path = put("project/.harness/hooks.d/send/05-look", `#!/bin/sh\ntee -a "${live.root}/seen"\n`);
    const id = await prompt(client, "hello");
    expect(existsSync(join(live.root, "seen"))).toBe(false);
    const before = await client.call("hooks/why", { cwd: live.cwd, event: "send" });
    expect(before.lines.join("\n")).toContain(`${path} is not used: its folder is not trusted.`);
    const { hash } = await client.call("trust/get", { cwd: live.cwd });
    await client.call("trust/set", { cwd: live.cwd, hash, decision: "trust" });
    await prompt(client, "again", id);
    expect(JSON.parse(readFileSync(join(live.root, "seen"), "utf8"))).toMatchObject({ model: "scripted" });
    const { hooks } = await client.call("hooks/list", { cwd: live.cwd });
    expect(hooks.filter(({ event }) => event === "send")).toEqual([
      expect.objectContaining({
        event: "send",
        name: "05-look",
        path,
        form: "stage",
        owner: "project",
        trusted: true,
        timeoutMs: 30_000,
        last: expect.objectContaining({ outcome: "ok", exit: "exit 0", sessionId: id }),
      }),
      { event: "send", name: "10-send", form: "built-in", owner: "harness", trusted: true },
    ]);
    const { lines } = await client.call("hooks/why", { cwd: live.cwd, event: "SEND" });
    expect(lines.join("\n")).toMatch(
      /Found for send, in this order: 05-look, 10-send\.\n.*\n.*It last ran on .* and succeeded \(exit 0\)/,
    );
    await expect(client.call("hooks/why", { cwd: live.cwd, event: "sending" })).rejects.toMatchObject({
      kind: "not_found",
    });
    writeFileSync(path, "#!/bin/sh\nexit 1\n");
    await prompt(client, "third", id);
    expect(readFileSync(join(live.root, "seen"), "utf8").trim().split("\n")).toHaveLength(1);
  });

  it("hooks written for bash harnesses: approval refuses a tool by its name, and lets it through where a program says so", async () => {
    const client = await start(two, { HARNESS_APPROVE_TOOLS: "bash write" });
    install("approve");
    await prompt(client, "go");
    expect(outcomes()).toMatchObject([
      { status: "denied", text: expect.stringContaining("is refused by the hook 05-approve: bash needs approval.") },
    ]);
    expect(existsSync(join(live.cwd, "made"))).toBe(false);
    expect(asked()).toHaveLength(2);
  });

  it("hooks written for bash harnesses: approval lets through what a program of the person's lets through", async () => {
    const client = await start(two, { HARNESS_APPROVE_COMMAND: "grep -q touch" });
    install("approve");
    await prompt(client, "go");
    expect(outcomes()).toMatchObject([{ status: "ok" }]);
    expect(existsSync(join(live.cwd, "made"))).toBe(true);
  });

  it("hooks written for bash harnesses: approval refuses also where a hook before it has written the call in another way", async () => {
    const client = await start(two);
    install("approve");
    const spaced = "import json, sys\nprint(json.dumps(json.load(sys.stdin), indent=2, sort_keys=True))";
    put("home/hooks.d/tool_exec/01-pretty", `#!/usr/bin/env python3\n${spaced}\n`);
    await prompt(client, "go");
    expect(outcomes()).toMatchObject([{ status: "denied", text: expect.stringContaining("05-approve") }]);
    expect(existsSync(join(live.cwd, "made"))).toBe(false);
  });

  it("hooks written for bash harnesses: the cost log has the model and the tokens of each reply", async () => {
    const client = await start(two);
    install("cost-log");
    const id = await prompt(client, "go");
    const log = readFileSync(join(live.home, "conversations", id, "cost.log"), "utf8")
      .trim()
      .split("\n");
    expect(log).toHaveLength(2);
    for (const line of log) expect(line).toMatch(/^\d{4}-\d\d-\d\dT\S+Z scripted in=\d+ out=\d+$/);
  });

  it("hooks in Node add to the system text, the same in every request", async () => {
    const client = await start(two);
    install("house-rules");
    put("project/.harness/rules.txt", "Never use tabs.\n", 0o644);
    await prompt(client, "go");
    expect(systems()).toHaveLength(2);
    expect(systems()[0]).toContain("Never use tabs.");
    expect(systems()[1]).toBe(systems()[0]);
  });

  it("hooks in the place of `35-skills` decide how the model sees the skills, and hooks before it see a text without them", async () => {
    const client = await start({ turns: [turns.say("One."), turns.say("Two.")] });
    put("home/skills/pdf/SKILL.md", "---\nname: pdf\ndescription: Reads PDF files.\n---\nUse pdftotext.\n", 0o644);
    put("home/hooks.d/assemble/32-look", `#!/bin/sh\ntee "${live.root}/seen"\n`);
    const id = await prompt(client, "hello");
    expect(readFileSync(join(live.root, "seen"), "utf8")).not.toContain("pdf");
    expect(systems()[0]).toContain("(load with `skill`):\\n- pdf: Reads PDF files.");
    const skills =
      'const d = JSON.parse(require("fs").readFileSync(0)); d.system += "\\nSkills are in /my/place."; d.next_state = "send"; console.log(JSON.stringify(d));';
    put("home/hooks.d/assemble/35-skills", `#!/usr/bin/env node\n${skills}\n`);
    await prompt(client, "again", id);
    expect(systems()[1]).toContain("Skills are in /my/place.");
    expect(systems()[1]).not.toContain("pdf");
  });

  it("hooks keep what they complain of in the session's log, for people and never for the model, and nothing without complaints", async () => {
    const client = await start(two);
    put("home/hooks.d/tool_exec/05-loud", '#!/bin/sh\necho "not for models" >&2\ncat\n');
    const id = await prompt(client, "go");
    const folder = join(live.home, "conversations", id);
    expect(readFileSync(join(folder, "hooks.log"), "utf8")).toMatch(/tool_exec\/05-loud: not for models\n$/);
    expect(JSON.stringify(asked())).not.toContain("not for models");
    expect(JSON.stringify(live.updates)).not.toContain("not for models");
  });

  it("hooks without a run bit are named when a session begins, once, and again when one more cannot run", async () => {
    const client = await start({ turns: [turns.say("One.", { repeat: "always" })] });
    const path = put("home/hooks.d/tool_exec/05-guard", "#!/bin/sh\nexit 1\n", 0o644);
    const id = await prompt(client, "go");
    await prompt(client, "again", id);
    put("home/hooks.d/send/06-late", "#!/bin/sh\ncat\n", 0o644);
    await prompt(client, "third", id);
    const warnings = live.updates.flatMap(({ update }) =>
      update.sessionUpdate === "notice" && update.severity === "warning" ? [update.title] : [],
    );
    expect(warnings).toHaveLength(2);
    expect(warnings[0]).toContain(`${path} is not used: it is not executable`);
    expect(warnings[1]).toContain("send/06-late is not used");
  });

  it("hooks cost nothing where there are none: nothing is written or started", async () => {
    const client = await start(two);
    const id = await prompt(client, "go");
    expect(readdirSync(join(live.home, "conversations", id))).not.toContain("hooks.log");
    expect(existsSync(join(live.home, "logs/hooks.jsonl"))).toBe(false);
  });

  it("hooks are shown by /hooks to every client", async () => {
    const client = await start({ turns: [turns.say("One.")] });
    put("home/hooks.d/send/10-send", "#!/bin/sh\ncat\n");
    put("home/hooks.d/sending/05-x", "#!/bin/sh\ncat\n");
    const { text } = await client.call("command/run", { cwd: live.cwd, name: "hooks", args: "" });
    expect(text).toContain("send:\n  10-send (you, replaces the built-in step)");
    expect(text).toContain("sending:\n  05-x (you, not used)");
    const why = await client.call("command/run", { cwd: live.cwd, name: "hooks", args: "why sending" });
    expect(why.text).toContain('there is no stage "sending"');
  });
});

describe("hooks outside of turns", () => {
  it("hooks of `resolve` say which model answers, once for as long as nothing changes, and their words end what cannot be", async () => {
    const client = await start({ turns: [turns.say("One."), turns.say("Two.")] }, { HARNESS_MODEL: "" });
    const path = put(
      "home/hooks.d/resolve/20-mine",
      `#!/bin/sh\ntee -a "${live.root}/asked" > /dev/null\necho '{"model":"scripted"}'\n`,
    );
    const id = await prompt(client, "hello");
    await prompt(client, "again", id);
    expect(asked().map((body) => (body as { model?: string }).model)).toEqual(["scripted", "scripted"]);
    expect(readFileSync(join(live.root, "asked"), "utf8").trim().split("\n")).toEqual(['{"provider":"","model":""}']);
    writeFileSync(path, `#!/bin/sh\necho '{"error":"no model for you"}'; exit 1\n`);
    await prompt(client, "third", id);
    const ended = live.updates.map(({ update }) => update).findLast((each) => each.sessionUpdate === "state_update");
    expect(ended).toMatchObject({ error: { message: expect.stringContaining("no model for you") } });
  });

  it("hooks of `auth-set` have a key for a provider, which is stored like one that was typed", async () => {
    const client = await start({ turns: [] });
    put(
      "home/hooks.d/auth-set/10-vault",
      `#!/bin/sh\n[ "$(cat)" = '{}' ] && [ "$HARNESS_PROVIDER" = openrouter ] || exit 0\necho '{"type":"api_key","key":"sk-or-made-up-0001"}'\n`,
    );
    expect(await client.call("auth/obtain", { provider: "openai" })).toEqual({ problems: [] });
    const { credential } = await client.call("auth/obtain", { provider: "openrouter" });
    expect(credential).toMatchObject({ provider: "openrouter", masked: expect.stringContaining("sk-o") });
    put("home/hooks.d/auth-set/10-vault", "#!/bin/sh\necho locked; exit 1\n");
    await expect(client.call("auth/obtain", { provider: "openrouter" })).rejects.toThrow("locked");
  });

  it("hooks of `sources` add folders, whose hooks count from the first request on", async () => {
    const client = await start({ turns: [turns.say("One.")] });
    put("team/hooks.d/send/05-look", `#!/bin/sh\ntee "${live.root}/seen"\n`);
    put("home/hooks.d/sources/40-team", `#!/bin/sh\nsed 's|\\]}|,"${live.root}/team"]}|'\n`);
    await prompt(client, "hello");
    expect(existsSync(join(live.root, "seen"))).toBe(true);
    const { sources } = await client.call("extensions/list", { cwd: live.cwd });
    expect(sources.map(({ folder }) => folder)).toContain(join(live.root, "team"));
  });

  it.each<[string, string, string]>([
    ["with a reason", '{"decision":"ask","reason":"It touches the world."}', "It touches the world."],
    ["without one", '{"decision":"ask"}', "05-approve"],
  ])("hooks of `tool_exec` put the gate's question to the person %s, in every mode", async (_, answer, words) => {
    const asks: string[] = [];
    live = await LiveServer.start(two);
    mkdirSync(live.cwd, { recursive: true });
    put("home/hooks.d/tool_exec/05-approve", `#!/bin/sh\ncat > /dev/null\necho '${answer}'\n`);
    const { client } = await live.connect(async ({ permission }) => {
      asks.push(permission.reason);
      return {
        outcome: "selected",
        optionId: permission.options.find(({ kind }) => kind === "allow_once")?.optionId ?? "",
      };
    });
    const config = { permissionMode: "allow-all" as const };
    const { session } = await client.call("session/new", { cwd: live.cwd, config });
    await prompt(client, "go", session.sessionId);
    expect(asks).toEqual([expect.stringContaining(words)]);
    expect(existsSync(join(live.cwd, "made"))).toBe(true);
  });

  it("hooks of `tool_exec` may also say no by a decision, and where nobody can be asked `ask` is a no", async () => {
    live = await LiveServer.start(two);
    mkdirSync(live.cwd, { recursive: true });
    const path = put("home/hooks.d/tool_exec/05-approve", `#!/bin/sh\necho '{"decision":"deny","reason":"Never."}'\n`);
    const { client } = await live.connect();
    const config = { permissionMode: "allow-all" as const };
    const { session } = await client.call("session/new", { cwd: live.cwd, config });
    await prompt(client, "go", session.sessionId);
    expect(outcomes()[0]).toMatchObject({ status: "denied", text: expect.stringContaining("Never") });
    live.model.setScenario(two);
    writeFileSync(path, `#!/bin/sh\necho '{"decision":"ask","reason":"Sure?"}'\n`);
    await prompt(client, "go", session.sessionId);
    expect(outcomes()[1]).toMatchObject({ status: "denied", text: expect.stringContaining("Sure?") });
    expect(existsSync(join(live.cwd, "made"))).toBe(false);
  });
});
