// Sessions as Markdown files, with a real server: where they are, what a change by hand does, and programs that read them.
import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { HarnessClient } from "@harness/client";
import { type ScenarioInput, turns } from "@harness/testkit";
import { afterEach, describe, expect, it } from "vitest";
import { choose, LiveServer, say } from "../support/live-server.ts";
import { promptUntilIdle } from "../support/prompt-until-idle.ts";

let live: LiveServer;
afterEach(() => live.close());

type Setup = { env?: Record<string, string>; settings?: object };

async function start(scenario: ScenarioInput, { env = {}, settings }: Setup = {}): Promise<HarnessClient> {
  live = await LiveServer.start(scenario);
  mkdirSync(live.cwd, { recursive: true });
  mkdirSync(live.home, { recursive: true });
  if (settings) writeFileSync(join(live.home, "settings.json"), JSON.stringify(settings));
  return (await live.connect(choose("allow_once"), env)).client;
}

const prompt = (client: HarnessClient, text: string, sessionId?: string) =>
  promptUntilIdle({ live, client }, text, sessionId);

function put(path: string, text: string, mode = 0o755): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  chmodSync(path, mode);
}

/** The messages of the last request, without the system text. */
function lastRequest(): string {
  const bodies = live.model.requests.flatMap(({ body }) =>
    typeof body === "object" && body !== null && "messages" in body ? [body] : [],
  );
  const { messages } = bodies.at(-1) as { messages: { role: string }[] };
  return JSON.stringify(messages.filter(({ role }) => role !== "system"));
}

const markdown = { session_format: "markdown" };
const spoken = { turns: [turns.say("The port is 80."), turns.say("Good."), turns.say("Yes.")] };

describe("a Markdown session", () => {
  it("gives the model a message as it was edited while the session is open", async () => {
    const client = await start(spoken, { settings: markdown });
    const id = await prompt(client, "Which port?");
    const file = join(live.home, "sessions", id, "messages", "0002-assistant.md");
    writeFileSync(file, readFileSync(file, "utf8").replace("is 80", "is 8080"));
    await prompt(client, "Go on.", id);
    expect(lastRequest()).toContain("The port is 8080.");
    expect(lastRequest()).not.toContain("The port is 80.");
    const titles = live.updates.flatMap(({ update }) => ("title" in update ? [update.title] : []));
    expect(titles).toContain("1 message was edited in its file: the model gets it as it is now.");
    expect(lastRequest()).not.toContain("A note from harness");
    await prompt(client, "Sure?", id);
    expect(titles.filter((title) => String(title).includes("edited"))).toHaveLength(1);
  });

  it("is followed by programs, line by line", async () => {
    const script = { turns: [turns.call("bash", { command: "echo hi" }), turns.say("Done.")] };
    const client = await start(script, { settings: { ...markdown, session_stream: true } });
    const id = await prompt(client, "Say hi.");
    await client.call("session/close", { sessionId: id });
    const folder = join(live.home, "sessions", id);
    const lines = readFileSync(join(folder, ".stream"), "utf8").trimEnd().split("\n");
    const events = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(events.map(({ type, seq }) => (seq ? `${type} ${seq}` : type)).filter((type) => type !== "text")).toEqual([
      "tool_start",
      "stop 0002",
      "tool_output",
      "tool_done 0003",
      "stop 0004",
      "done",
    ]);
    expect(readdirSync(join(folder, "messages"))).toContain("0004-assistant.md");
  });

  it("shows its history with the edits, while it is open", async () => {
    const client = await start(spoken, { settings: markdown });
    const id = await prompt(client, "Which port?");
    const file = join(live.home, "sessions", id, "messages", "0002-assistant.md");
    writeFileSync(file, readFileSync(file, "utf8").replace("is 80", "is 8080"));
    const { events } = await client.call("session/history", { sessionId: id, after: 0, limit: 100 });
    expect(JSON.stringify(events)).toContain("The port is 8080.");
  });

  it("goes on with another model and title that were written into its session.conf", async () => {
    const client = await start(spoken, { settings: markdown });
    const id = await prompt(client, "Which port?");
    const conf = join(live.home, "sessions", id, "session.conf");
    const text = readFileSync(conf, "utf8");
    writeFileSync(conf, text.replace(/^model=.*$/m, "model=other").replace(/^title=.*$/m, "title=Ports"));
    await prompt(client, "Go on.", id);
    expect(live.model.requests.at(-1)?.body).toMatchObject({ model: "other" });
    const { sessions } = await client.call("session/list", { limit: 5 });
    expect(sessions[0]).toMatchObject({ title: "Ports", model: "other" });
    expect(readFileSync(conf, "utf8")).toContain("model=other\n");
  });

  it("is rewound, retried and forked with the edits, whose messages keep their ids", async () => {
    const client = await start({ turns: [turns.say("Answer.", { repeat: "always" })] }, { settings: markdown });
    const id = await prompt(client, "one");
    await prompt(client, "two", id);
    const messages = join(live.home, "sessions", id, "messages");
    const ids = () =>
      live.updates.flatMap(({ update }) =>
        update.sessionUpdate === "user_message" && update.origin === "user" && !update.fromFile
          ? [update.messageId]
          : [],
      );
    const edit = (name: string, from: string, to: string) => {
      const path = join(messages, name);
      writeFileSync(path, readFileSync(path, "utf8").replace(from, to));
    };
    edit("0001-user.md", "one", "First");
    const { session, prompt: left } = await client.call("session/fork", { sessionId: id, messageId: ids()[1] });
    expect(left).toEqual(say("two"));
    await client.call("session/resume", { sessionId: session.sessionId });
    await prompt(client, "forked", session.sessionId);
    expect(lastRequest()).toContain("First");
    expect(lastRequest()).not.toContain("two");
    edit("0001-user.md", "First", "The first");
    const retried = live.model.requests.length;
    await client.call("command/run", { sessionId: id, name: "retry", args: "" });
    await live.until(() => live.model.requests.length > retried);
    expect(lastRequest()).toContain("The first");
    expect(lastRequest()).toContain("two");
    await live.until(
      ({ sessionId, update }) => sessionId === id && update.sessionUpdate === "state_update" && update.state === "idle",
    );
    await client.call("session/close", { sessionId: id });
    edit("0002-assistant.md", "Answer", "An answer");
    const other = await client.call("session/fork", { sessionId: id });
    await client.call("session/resume", { sessionId: other.session.sessionId });
    await prompt(client, "again", other.session.sessionId);
    expect(lastRequest()).toContain("An answer.");
  });

  it("is found again beside logs, listed, resumed and deleted", async () => {
    const client = await start(spoken, { settings: markdown });
    const id = await prompt(client, "Which port?");
    await client.call("settings/set", { edits: [{ key: "session_format", value: "jsonl" }] });
    const log = await prompt(client, "As a log.");
    expect(existsSync(join(live.home, "conversations", log, "log.jsonl"))).toBe(true);
    const other = (await live.connect()).client;
    const { sessions } = await other.call("session/list", { cwd: live.cwd, limit: 10 });
    expect(sessions.map(({ sessionId }) => sessionId).sort()).toEqual([id, log].sort());
    expect((await client.call("session/folder", { sessionId: id })).path).toBe(join(live.home, "sessions", id));
    await client.call("session/close", { sessionId: id });
    await prompt(client, "More.", (await client.call("session/resume", { sessionId: id })).session.sessionId);
    expect(lastRequest()).toContain("Which port?");
    await client.call("session/close", { sessionId: id });
    await client.call("session/delete", { sessionId: id });
    expect(existsSync(join(live.home, "sessions", id))).toBe(false);
  });
});

describe("the folder of Markdown sessions", () => {
  it("is the one that HARNESS_SESSIONS names", async () => {
    live = await LiveServer.start(spoken);
    mkdirSync(live.cwd, { recursive: true });
    const sessions = join(live.root, "named");
    const { client } = await live.connect(choose("allow_once"), { HARNESS_SESSIONS: sessions });
    const id = await prompt(client, "hello");
    expect(readdirSync(join(sessions, id)).sort()).toEqual([".harness", "lock", "messages", "session.conf"]);
  });

  it("may be named from where harness was started", async () => {
    live = await LiveServer.start(spoken);
    mkdirSync(live.cwd, { recursive: true });
    const { client } = await live.connect(choose("allow_once"), { HARNESS_SESSIONS: "named" });
    const id = await prompt(client, "hello");
    const path = (await client.call("session/folder", { sessionId: id })).path;
    expect(path.endsWith(join("named", id))).toBe(true);
    expect(readdirSync(join(path, "messages"))).toHaveLength(2);
    rmSync(dirname(path), { recursive: true });
  });

  it("is the nearest .harness/sessions of a project, which has no part in its trust", async () => {
    const client = await start(spoken);
    mkdirSync(join(live.cwd, ".harness/sessions"), { recursive: true });
    const id = await prompt(client, "hello");
    const messages = join(live.cwd, ".harness/sessions", id, "messages");
    expect(readdirSync(messages)).toEqual(["0001-user.md", "0002-assistant.md"]);
    expect((await client.call("trust/get", { cwd: live.cwd })).state).toBe("nothing");
    put(join(live.cwd, ".harness/tools/x"), "#!/bin/sh\n");
    await client.call("session/close", { sessionId: id });
    const other = (await live.connect()).client;
    const untrusted = (await other.call("session/new", { cwd: live.cwd })).session.sessionId;
    await prompt(other, "again", untrusted);
    expect(existsSync(join(live.cwd, ".harness/sessions", untrusted))).toBe(false);
  });
});

/** An assemble hook to the contract of the bash harness: reads the messages in order, in the format of Anthropic's API. */
const ASSEMBLE = `
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
const payload = JSON.parse(readFileSync(0, "utf8") || "{}");
const dir = process.env.HARNESS_SESSION + "/messages";
const messages = [];
for (const name of readdirSync(dir).filter((each) => /^\\d{4}-(user|assistant|tool_result)\\.md$/.test(each)).sort()) {
  const lines = readFileSync(dir + "/" + name, "utf8").split("\\n");
  const end = lines.indexOf("---", 1);
  const fields = Object.fromEntries(lines.slice(1, end).map((line) => line.split(/: (.*)/)));
  const body = lines.slice(end + 1).join("\\n").trim();
  const { role, seq, model, stop, call_id, error } = fields;
  if (!name.startsWith(seq + "-" + role) || Number.isNaN(Date.parse(fields.timestamp))) throw new Error(name);
  if (role === "tool_result") {
    const result = { type: "tool_result", tool_use_id: call_id, content: body, is_error: error === "true" };
    const last = messages.at(-1);
    if (Array.isArray(last.content) && last.role === "user") last.content.push(result);
    else messages.push({ role: "user", seq, content: [result] });
  } else if (role === "user") messages.push({ role, seq, content: body });
  else {
    const content = [];
    const fence = /\\x60{3}tool_call id=(\\S+) name=(\\S+)\\n([\\s\\S]*?)\\n\\x60{3}/g;
    const text = body.replace(fence, "").trim();
    if (text) content.push({ type: "text", text });
    for (const [, id, tool, input] of body.matchAll(fence))
      content.push({ type: "tool_use", id, name: tool, input: JSON.parse(input) });
    messages.push({ role, seq, content, stop, model });
  }
}
writeFileSync(process.argv[2], JSON.stringify(messages));
const own = messages.map(({ role, content }) => ({ role, content }));
process.stdout.write(JSON.stringify({ ...payload, messages: [{ role: "user", content: "Translated." }, ...own.slice(1)] }));
`;

describe("programs that read a session's folder", () => {
  it("get it as an assemble hook, with the message that is being answered", async () => {
    const client = await start(spoken, { settings: markdown });
    put(
      join(live.home, "hooks.d/assemble/15-look"),
      `#!/bin/sh
payload=$(cat)
{
  grep '^id=\\|^cwd=' "$HARNESS_SESSION/session.conf"
  for f in "$HARNESS_SESSION"/messages/*.md; do
    sed -n 's/^role: //p' "$f"
    awk '/^---$/ && n < 2 { n++; next } n == 2' "$f"
  done
  echo "$HARNESS_SESSIONS"
} > "${live.root}/seen"
printf '%s' "$payload"
`,
    );
    const id = await prompt(client, "Which port?");
    const sessions = join(live.home, "sessions");
    const seen = () => readFileSync(join(live.root, "seen"), "utf8");
    expect(seen()).toMatch(/user\nWhich port\?\n\n```attached\n\[Today: .*\]\n```\n/);
    expect(seen().startsWith(`id=${id}\ncwd=${live.cwd}\n`) && seen().endsWith(`\n${sessions}\n`)).toBe(true);
    await prompt(client, "Go on.", id);
    expect(seen()).toContain("assistant\nThe port is 80.\nuser\nGo on.\n");
  });

  it("translate it for a provider as an assemble hook of the bash harness does, and are what the model gets", async () => {
    const both = turns.calls([
      ["bash", { command: "echo one" }],
      ["bash", { command: "exit 3" }],
    ]);
    const script = { turns: [{ ...both, text: "Let me look." }, turns.say("Done.", { repeat: "always" as const })] };
    const client = await start(script, { settings: { ...markdown, permission_mode: "allow-all" } });
    put(join(live.root, "assemble.mjs"), ASSEMBLE);
    put(
      join(live.home, "hooks.d/assemble/15-translate"),
      `#!/bin/sh\nexec "${process.execPath}" "${join(live.root, "assemble.mjs")}" "${join(live.root, "seen")}"\n`,
    );
    const id = await prompt(client, "Look.");
    const seen = () => JSON.parse(readFileSync(join(live.root, "seen"), "utf8")) as { seq: string }[];
    const calls = [
      { type: "tool_use", id: expect.any(String), name: "bash", input: { command: "echo one" } },
      { type: "tool_use", id: expect.any(String), name: "bash", input: { command: "exit 3" } },
    ];
    // Results that follow each other are one message.
    expect(seen()).toMatchObject([
      { role: "user", content: expect.stringContaining("Look.") },
      { role: "assistant", content: [{ type: "text", text: "Let me look." }, ...calls], stop: "tool_calls" },
      {
        role: "user",
        content: [
          { type: "tool_result", is_error: false },
          { type: "tool_result", is_error: true },
        ],
      },
    ]);
    await prompt(client, "Go on.", id);
    expect(seen().slice(3)).toMatchObject([
      { role: "assistant", content: [{ type: "text", text: "Done." }], stop: "end", model: "scripted" },
      { role: "user", content: expect.stringContaining("Go on.") },
    ]);
    expect(seen().map(({ seq }) => seq)).toEqual(["0001", "0002", "0003", "0005", "0006"]);
    expect(lastRequest()).toMatch(/^\[\{"role":"user","content":"Translated\."\},.*"content":"Go on\./);
  });

  it("list and show it as a command of the bash harness does", async () => {
    const client = await start(
      { turns: [turns.call("ls", { path: "." }), turns.say("Done.")] },
      { settings: markdown },
    );
    const id = await prompt(client, "List.");
    const script = `ls -1t "$1"; cat "$1/$2/session.conf" | sed -n 's/^model=//p'; ls -1 "$1/$2/messages" | sort -n | tail -1`;
    const { stdout } = spawnSync("sh", ["-c", script, "sh", join(live.home, "sessions"), id], { encoding: "utf8" });
    expect(stdout).toBe(`${id}\nscripted\n0004-assistant.md\n`);
    rmSync(join(live.home, "sessions", id, ".harness"), { recursive: true, force: true });
  });
});
