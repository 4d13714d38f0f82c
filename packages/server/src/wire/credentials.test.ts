import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { PROTOCOL_VERSION } from "@harness/protocol";
import { afterEach, expect, it } from "vitest";
import { LiveServer } from "./live-server.fixture.ts";

const KEY = "sk-live-5e3b1f0c9d8a7b6c5d4e3f2a1b0c";

let server: LiveServer | undefined;
afterEach(() => server?.close());

it("takes a key over the wire, uses it, and never says it again", async () => {
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
    config: { provider: "openai", model: "scripted", permissionMode: "auto" },
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

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((each) => each.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
}
