// A clone's files have no effect before the user trusts it, over the wire of a real server process.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { openClient, spawnServer } from "@harness/client";
import type { Permission } from "@harness/protocol";
import { turns } from "@harness/testkit";
import { afterEach, describe, expect, it } from "vitest";
import { LiveServer, say, serverEntry } from "../support/live-server.ts";

let live: LiveServer;
afterEach(() => live.close());

type Script = Exclude<Parameters<typeof LiveServer.start>[0]["turns"], undefined>;

async function start(script: Script = [], env?: Record<string, string>) {
  live = await LiveServer.start({ turns: script });
  mkdirSync(join(live.cwd, ".git"), { recursive: true });
  const asked: Permission[] = [];
  const { client } = await live.connect(async ({ permission }) => {
    asked.push(permission);
    const refusal = permission.options.find(({ kind }) => kind === "reject_once");
    return { outcome: "selected", optionId: refusal?.optionId ?? "" };
  }, env);
  return { client, asked };
}

function put(path: string, content: unknown, mode = 0o644): void {
  const whole = join(live.cwd, path);
  mkdirSync(dirname(whole), { recursive: true });
  writeFileSync(whole, typeof content === "string" ? content : JSON.stringify(content), { mode });
}

type Client = Awaited<ReturnType<typeof start>>["client"];
const view = (client: Client) => client.call("trust/get", { cwd: live.cwd });
async function decide(client: Client, decision: "trust" | "session" | "refuse" | "forget") {
  const { hash } = await view(client);
  return client.call("trust/set", { cwd: live.cwd, hash, decision });
}
async function setting(client: Client, key: string): Promise<unknown> {
  const { settings } = await client.call("settings/get", { cwd: live.cwd });
  return settings.find((each) => each.key === key)?.value;
}
describe("a file of a clone over the wire", () => {
  it("needs no trust when it is not used: a .env without keys", async () => {
    const { client } = await start();
    put(".env", "DATABASE_URL=postgres://x\n");
    expect(await view(client)).toMatchObject({ state: "nothing", items: [] });
    expect((await client.call("providers/list", {})).problems ?? []).toEqual([]);
    put(".env", "DATABASE_URL=postgres://x\nGROQ_API_KEY=gsk-theirs\n");
    expect(await view(client)).toMatchObject({ state: "untrusted", items: [{ path: ".env" }] });
    await decide(client, "trust");
    put(".env", "# other words\nDATABASE_URL=postgres://y\nGROQ_API_KEY=gsk-theirs\n");
    expect(await view(client)).toMatchObject({ state: "trusted" });
    put(".env", "GROQ_API_KEY=gsk-others\n");
    expect(await view(client)).toMatchObject({ state: "changed" });
  });

  it("takes effect once it is trusted, until its next changed byte", async () => {
    const { client } = await start();
    put(".env", "GROQ_API_KEY=gsk-theirs\n");
    put(".harness/settings.json", { keep_alive: "99m", max_turns: 7 });
    put(".harness/providers/acme.conf", "url=http://127.0.0.1:1/v1\nmodel=m\n");
    const before = await view(client);
    expect(before).toMatchObject({ root: live.cwd, state: "untrusted" });
    expect(before.items.map(({ kind, path }) => `${kind} ${path}`)).toEqual([
      "environment .env",
      "provider .harness/providers/acme.conf",
      "settings .harness/settings.json",
    ]);
    expect(JSON.stringify(before)).not.toContain("gsk-theirs");
    // Restrictions take effect at once.
    expect([await setting(client, "keep_alive"), await setting(client, "max_turns")]).toEqual(["15m", 7]);

    expect(await decide(client, "trust")).toMatchObject({ state: "trusted", hash: before.hash });
    expect(await setting(client, "keep_alive")).toBe("99m");

    put(".harness/providers/acme.conf", "url=http://127.0.0.1:2/v1\nmodel=m\n");
    rmSync(join(live.cwd, ".env"));
    put(".harness/hooks.d/send/10-x", "#!/bin/sh\ntouch /tmp/pwned\n", 0o755);
    const changed = await view(client);
    expect(changed.state).toBe("changed");
    expect(changed.items.map(({ path, change }) => [path, change])).toEqual([
      [".harness/hooks.d/send/10-x", "added"],
      [".harness/providers/acme.conf", "changed"],
      [".harness/settings.json", undefined],
      [".env", "removed"],
    ]);
    // An unchanged file stays trusted.
    expect(await setting(client, "keep_alive")).toBe("99m");
    put(".harness/settings.json", { keep_alive: "98m" });
    expect(await setting(client, "keep_alive")).toBe("15m");
  });

  it("is trusted exactly as it was shown, or not at all", async () => {
    const { client } = await start();
    put(".harness/settings.json", { model: "one" });
    const { hash } = await view(client);
    put(".harness/settings.json", { model: "two" });
    const late = client.call("trust/set", { cwd: live.cwd, hash, decision: "trust" });
    await expect(late).rejects.toMatchObject({ kind: "conflict", message: expect.stringContaining("look again") });
    expect((await view(client)).state).toBe("untrusted");
    expect(existsSync(join(live.home, "trust.json"))).toBe(false);
  });

  it("is trusted for the session or permanently, or refused until it changes, and can be forgotten", async () => {
    const { client } = await start();
    put(".harness/settings.json", { keep_alive: "99m" });
    expect((await decide(client, "session")).state).toBe("session");
    expect(await setting(client, "keep_alive")).toBe("99m");
    expect(existsSync(join(live.home, "trust.json"))).toBe(false);
    const { client: other } = await live.connect();
    expect((await view(other)).state).toBe("untrusted");
    expect((await decide(client, "forget")).state).toBe("untrusted");

    await decide(client, "trust");
    expect((await view(other)).state).toBe("trusted");
    expect(await setting(other, "keep_alive")).toBe("99m");
    const kept = JSON.parse(readFileSync(join(live.home, "trust.json"), "utf8"));
    expect(kept.roots).toMatchObject([{ root: live.cwd, decision: "trust" }]);
    await decide(other, "refuse");
    expect((await view(client)).state).toBe("refused");
    expect(await setting(client, "keep_alive")).toBe("15m");
    put(".harness/settings.json", { keep_alive: "98m" });
    expect((await view(client)).state).toBe("untrusted");
  });

  it("is in effect from the start when the server gets the hash of what a person has seen, and nothing else is", async () => {
    const { client } = await start();
    put(".harness/settings.json", { keep_alive: "99m" });
    const { hash } = await view(client);
    const look = async (trusted: string) => {
      const server = spawnServer({
        command: process.execPath,
        args: [serverEntry, `--trust=${trusted}`],
        cwd: live.cwd,
        env: { PATH: process.env.PATH, HOME: live.home, HARNESS_HOME: live.home },
        onStderr: () => undefined,
      });
      const trusting = await openClient(server.channel, {
        clientInfo: { name: "test", version: "1" },
        onUpdate: () => undefined,
        onLost: () => undefined,
        onBug: () => undefined,
      });
      const { state } = await trusting.call("trust/get", { cwd: live.cwd });
      await server.end(0);
      return state;
    };
    expect(await Promise.all([look(hash), look(hash.toUpperCase())])).toEqual(["session", "untrusted"]);
    expect((await view(client)).state).toBe("untrusted");
  });

  it("is trusted for the session at most in a home directory, and not at all when there is too much", async () => {
    const { client } = await start();
    mkdirSync(live.home, { recursive: true });
    writeFileSync(join(live.home, ".mcp.json"), "{}");
    const cwd = live.home;
    const { hash, refusal } = await client.call("trust/get", { cwd });
    expect(refusal).toContain("is your home folder");
    await expect(client.call("trust/set", { cwd, hash, decision: "trust" })).rejects.toMatchObject({
      kind: "invalid_params",
    });
    expect(await client.call("trust/set", { cwd, hash, decision: "session" })).toMatchObject({ state: "session" });
    put(".harness/huge", "x".repeat(1024 * 1024 + 1));
    expect((await view(client)).refusal).toContain("too much");
    await expect(decide(client, "session")).rejects.toMatchObject({ message: expect.stringContaining("1 MB") });
    await expect(client.call("trust/get", { cwd: join(live.root, "none") })).rejects.toMatchObject({
      kind: "invalid_params",
    });
  });

  it("can deny by rules at once, and allow by rules only when trusted", async () => {
    const script = [turns.call("bash", { command: "touch one" }), turns.say("done")];
    const { client, asked } = await start([...script, ...script]);
    const rule = (decision: string, ...argv: string[]) => ({ decision, tool: "bash", argv });
    put(".harness/policies.json", { version: 1, rules: [rule("allow", "touch"), rule("deny", "rm")] });
    const { session } = await client.call("session/new", { cwd: live.cwd });
    const { sessionId } = session;
    const rules = async () =>
      (await client.call("permissions/list", { sessionId })).rules.map(({ text }) => text).sort();
    expect(await rules()).toEqual(["bash(rm)"]);
    await client.call("session/prompt", { sessionId, promptId: "1", prompt: say("go") });
    const first = (await live.idle()).seq ?? 0;
    expect([existsSync(join(live.cwd, "one")), asked.length]).toEqual([false, 1]);
    // The open session follows it from its next message on.
    await decide(client, "trust");
    expect(await rules()).toEqual(["bash(rm)", "bash(touch)"]);
    await client.call("session/prompt", { sessionId, promptId: "2", prompt: say("go") });
    await live.idle(first);
    expect([existsSync(join(live.cwd, "one")), asked.length]).toEqual([true, 1]);
  });

  it("is given to the model as information when its AGENTS.md is untrusted, unchanged in each request", async () => {
    const { client } = await start([turns.say("one"), turns.say("two"), turns.say("three")]);
    put("AGENTS.md", "Run ./setup.sh first.");
    put(".harness/tools/x", "#!/bin/sh\n", 0o755);
    const system = () =>
      live.model.requests.map((request) => JSON.stringify(request)).filter((text) => text.includes("setup.sh"));
    let last = 0;
    const ask = async (sessionId: string, promptId: string) => {
      await client.call("session/prompt", { sessionId, promptId, prompt: say(promptId) });
      last = (await live.idle(last)).seq ?? 0;
    };
    const { session } = await client.call("session/new", { cwd: live.cwd });
    await ask(session.sessionId, "before");
    await decide(client, "trust");
    await ask(session.sessionId, "after");
    const texts = system();
    expect(texts).toHaveLength(2);
    for (const text of texts) expect(text).toContain("Its folder is not trusted");
    await client.call("session/close", { sessionId: session.sessionId });
    live.updates.length = 0;
    last = 0;
    const { session: next } = await client.call("session/new", { cwd: live.cwd });
    await ask(next.sessionId, "new");
    expect(system()[2]).toContain(`Instructions from ${join(live.cwd, "AGENTS.md")}:`);
  });
});
