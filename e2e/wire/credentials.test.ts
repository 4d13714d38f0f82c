import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PROTOCOL_VERSION } from "@harness/protocol";
import { turns } from "@harness/testkit";
import { afterEach, expect, it } from "vitest";
import { LiveServer, say } from "../support/live-server.ts";

const KEY = "sk-live-5e3b1f0c9d8a7b6c5d4e3f2a1b0c";

let server: LiveServer | undefined;
afterEach(() => server?.close());

it("a key is accepted over the wire, used, and never sent back", async () => {
  server = await LiveServer.start({
    models: [{ id: "scripted" }],
    turns: [
      { toolCalls: [{ name: "bash", arguments: { command: "env; cat /proc/self/environ" } }] },
      { fault: { kind: "status", status: 401, message: `Incorrect API key provided: ${KEY}`, times: "always" } },
    ],
  });
  const session = server.raw({ OPENAI_API_KEY: undefined });
  session.send("initialize", {
    protocolVersions: [PROTOCOL_VERSION],
    clientInfo: { name: "test", version: "1" },
    role: "controller",
    capabilities: {},
  });
  await session.answer(1);
  session.send("auth/set", { provider: "openai", key: KEY });
  const { result, error } = await session.answer(2);
  expect(error).toBeUndefined();
  expect(result).toMatchObject({ credential: { provider: "openai", masked: "sk-l…1b0c", kind: "apiKey" } });
  session.send("auth/list", {});
  expect((await session.answer(3)).result).toMatchObject({ credentials: [{ provider: "openai", source: "file" }] });
  session.send("session/new", {
    cwd: server.root,
    config: { provider: "openai", model: "scripted", permissionMode: "allow-all" },
  });
  const opened = (await session.answer(4)).result as { session: { sessionId: string } };
  session.send("session/prompt", {
    sessionId: opened.session.sessionId,
    promptId: "p1",
    prompt: [{ type: "text", text: `my key is ${KEY.slice(0, 6)}…` }],
  });
  await session.answer(5);
  await session.until('"stopReason":"error"');
  session.send("auth/remove", { provider: "openai" });
  expect((await session.answer(6)).result).toEqual({ removed: true });
  const said = await session.end();
  expect(server.model.chatRequests.map(({ headers }) => headers.authorization)).toContain("Bearer …1b0c");
  expect(said).not.toContain(KEY);
  for (const path of filesBelow(server.home)) expect(readFileSync(path, "utf8"), path).not.toContain(KEY);
});

it("a stored secret is never shown: not from its own file, not in pieces, not in the file of a long output", async () => {
  const kept = {
    access: "accesstok-aaaaaaaaaaaaaaaa1111",
    refresh: "refreshtok-rrrrrrrrrrrrrrrr2222",
    shadowed: "mistralkept0123456789abcdefghij",
    ofFile: "confkey0123456789abcdefghijkl",
  };
  const calls = [
    `cat "$HOME/credentials.json"`,
    `for part in confkey0123456789 abcdefghijkl; do printf %s "$part"; sleep 0.2; done`,
    `all=$(cat "$HOME/credentials.json"); for i in $(seq 1 200); do echo "$all"; done`,
    `base64 -w0 "$HOME/credentials.json"`,
  ];
  server = await LiveServer.start({
    models: [{ id: "scripted" }],
    turns: [
      ...calls.map((command) => ({ toolCalls: [{ name: "bash", arguments: { command } }] })),
      { text: "all is said" },
    ],
  });
  const apiKey = (key: string) => ({ type: "apiKey", key, savedAt: new Date().toISOString() });
  const providers = {
    openai: apiKey(KEY),
    mistral: apiKey(kept.shadowed),
    mine: apiKey(kept.ofFile),
    chatgpt: { ...apiKey(""), type: "oauth", accessToken: kept.access, refreshToken: kept.refresh },
  };
  mkdirSync(join(server.home, "providers"), { recursive: true });
  writeFileSync(join(server.home, "providers", "mine.conf"), "url=https://mine.example/v1\nauth_env=MINE_CRED\n");
  const file = join(server.home, "credentials.json");
  writeFileSync(file, JSON.stringify({ version: 1, providers }), { mode: 0o600 });
  const session = server.raw({ OPENAI_API_KEY: undefined, MISTRAL_API_KEY: "of-the-environment-0123456789" });
  session.send("initialize", {
    protocolVersions: [PROTOCOL_VERSION],
    clientInfo: { name: "test", version: "1" },
    role: "controller",
    capabilities: {},
  });
  await session.answer(1);
  const config = { provider: "openai", model: "scripted", permissionMode: "allow-all" };
  session.send("session/new", { cwd: server.root, config });
  const { sessionId } = ((await session.answer(2)).result as { session: { sessionId: string } }).session;
  session.send("session/prompt", { sessionId, promptId: "p1", prompt: [{ type: "text", text: "go" }] });
  await session.until("all is said");
  const outputs = [await session.end(), JSON.stringify(server.model.chatRequests.map(({ body }) => body))];
  const paths = filesBelow(server.home).filter((path) => path !== file);
  expect(paths.filter((path) => path.endsWith(".txt"))).toHaveLength(1);
  outputs.push(...paths.map((path) => readFileSync(path, "utf8")));
  for (const secret of [KEY, ...Object.values(kept)]) {
    const inner = Buffer.from(`   ${secret}`).toString("base64").slice(4, -4);
    for (const text of outputs) expect(text.includes(secret) || text.includes(inner), secret).toBe(false);
  }
});

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((each) => each.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
}

it("a key that a bash harness has saved is used, listed and hidden", async () => {
  const live = await LiveServer.start({
    models: [{ id: "scripted" }],
    turns: [turns.call("bash", { command: `echo ${KEY}` }), turns.say("ok", { repeat: "always" })],
  });
  server = live;
  mkdirSync(join(live.home, "providers"), { recursive: true });
  mkdirSync(live.cwd);
  writeFileSync(join(live.home, "providers/box.conf"), `url=${live.model.url}/v1\nmodel=scripted\nauth_env=BOX_KEY\n`);
  writeFileSync(join(live.home, ".auth.json"), JSON.stringify({ box: [{ type: "api_key", key: KEY }] }));
  const { client } = await live.connect(undefined, { HARNESS_MODEL: "" });
  const listed = await client.call("auth/list", {});
  expect(listed.credentials).toContainEqual(
    expect.objectContaining({ provider: "box", source: "file", from: join(live.home, ".auth.json") }),
  );
  const config = { provider: "box", permissionMode: "allow-all" as const };
  const { sessionId } = (await client.call("session/new", { cwd: live.cwd, config })).session;
  await client.call("session/prompt", { sessionId, promptId: "p", prompt: say("go") });
  await live.idle();
  expect(live.model.chatRequests.map(({ headers }) => headers.authorization)).toContain("Bearer …1b0c");
  expect(JSON.stringify(live.updates.filter(({ update }) => "outcome" in update))).not.toContain(KEY);
});
