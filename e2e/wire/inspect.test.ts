// The request inspector against servers with the vendors' formats.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ProtocolError } from "@harness/protocol";
import { bitmap, type ModelServer, startModelServer, turns } from "@harness/testkit";
import { afterEach, describe, expect, it } from "vitest";
import { LiveServer, say } from "../support/live-server.ts";

const MODEL = "scripted:latest";
const others: ModelServer[] = [];
let live: LiveServer;
afterEach(async () => {
  await live.close();
  await Promise.all(others.splice(0).map((server) => server.close()));
});

async function session(env: Record<string, string> = {}) {
  mkdirSync(live.cwd, { recursive: true });
  const { client } = await live.connect(undefined, env);
  const { sessionId } = (await client.call("session/new", { cwd: live.cwd })).session;
  let prompts = 0;
  const prompt = async (text: string, ...images: { type: "image"; mimeType: string; data: string }[]) => {
    const { seq } = await client.call("session/get", { sessionId });
    await client.call("session/prompt", { sessionId, promptId: `p${prompts++}`, prompt: [...say(text), ...images] });
    await live.idle(seq);
  };
  const inspect = () => client.call("session/request", { sessionId });
  const command = async (args: string) => (await client.call("command/run", { sessionId, name: "inspect", args })).text;
  return { client, sessionId, prompt, inspect, command };
}

describe("the last request", () => {
  it.each(["anthropic", "chatgpt", "ollama", "llamacpp", "mistral"] as const)(
    "is shown as %s got it, with its sections, and what the next one adds",
    async (flavour) => {
      const scenario = {
        models: [{ id: MODEL }],
        turns: [{ text: "one" }, { text: "two", repeat: "always" as const }],
      };
      const server = await startModelServer({ flavour, scenario });
      others.push(server);
      live = await LiveServer.start({ turns: [] });
      const { client, sessionId, prompt, inspect } = await session({ ...server.environment, HARNESS_MODEL: "" });
      await client.call("session/set_config_option", { sessionId, config: { provider: flavour, model: MODEL } });
      await prompt("first words");
      const first = await inspect();
      expect(JSON.parse(first.body)).toEqual(server.chatRequests.at(-1)?.body);
      expect(first).toMatchObject({ provider: flavour, model: MODEL, agentId: "main" });
      expect(first.sections.map(({ section }) => section)).toEqual(
        expect.arrayContaining(["options", "system", "tools", "conversation"]),
      );
      expect(first.difference).toBeUndefined();
      await prompt("second words");
      const second = await inspect();
      expect(JSON.parse(second.body)).toEqual(server.chatRequests.at(-1)?.body);
      expect(second.difference).toMatchObject({ removed: expect.any(Number) });
      expect(second.difference?.hunks).toMatch(/^\+.*second words/m);
      expect(second.difference?.hunks).not.toContain("first words");
    },
  );

  it("has no secret and no picture in it, and names sizes instead", async () => {
    live = await LiveServer.start({ turns: [turns.say("ok", { repeat: "always" })] });
    const { prompt, inspect, command } = await session({ OPENAI_API_KEY: "sk-proj-0123456789abcdefghijklmnop" });
    writeFileSync(join(live.cwd, "key.txt"), "sk-proj-0123456789abcdefghijklmnop");
    const data = bitmap(60, 60, (at) => (Math.imul(at, 2_654_435_761) >>> 13) & 0xff).toString("base64");
    await prompt("look at @key.txt", { type: "image", mimeType: "image/png", data });
    const { body } = await inspect();
    expect(body).not.toContain("0123456789abcdefghijklmnop");
    expect(body).toMatch(/data:image\/png;base64,\([\d,]+ bytes\)/);
    expect(await command("json")).toBe(body);
    expect(await command("full")).toContain("── messages[1] user\n");
  });

  it("is described by /inspect: nothing before there is one, then sections and the difference", async () => {
    live = await LiveServer.start({ turns: [turns.say("ok", { repeat: "always" })] });
    const { prompt, inspect, command } = await session();
    const refused = await inspect().catch((error: ProtocolError) => `${error.kind}: ${error.message}`);
    expect(refused).toBe("not_found: No request has been sent since the session was opened.");
    expect(await command("")).toBe("No request has been sent since this session was opened. Requests are not stored.");
    await prompt("one");
    expect(await command("")).toMatch(
      /^scripted at 127\.0\.0\.1:\d+, \d\d:\d\d:\d\d, about [\d,]+ tokens\nhttp:\/\/127/,
    );
    expect(await command("")).toContain("There is no earlier request to compare it with.");
    await prompt("two");
    const text = await command("diff");
    expect(text).toMatch(/^tools +█+ +[\d,]+ +\d+ % {2}\w+, \w+, \w+ and \d+ more$/m);
    expect(text).toMatch(/^The first \d+ of \d+ parts \(about [\d,]+ tokens\) are the same as in the one before/m);
    expect(await command("full a9")).toBe(
      "No request has been sent by a9 since this session was opened. Requests are not stored.",
    );
  });
});
