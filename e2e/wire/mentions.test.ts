// Files that a message mentions, as any client sends them: a real server over stdio, a scripted model over HTTP.
import { mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ProtocolError } from "@harness/protocol";
import { blackPng, type TurnInput, turns } from "@harness/testkit";
import { afterEach, describe, expect, it, vi } from "vitest";
import { choose, LiveServer, say } from "../support/live-server.ts";

let live: LiveServer;
afterEach(() => live.close());

type Part = { type: string; text?: string; image_url?: { url: string } };
type Body = { messages: { content: string | Part[] }[] };
const sentMessages = () => (live.model.chatRequests.at(-1)?.body as Body | undefined)?.messages ?? [];
const lastMessage = () => sentMessages().at(-1)?.content;

async function start(...script: TurnInput[]) {
  live = await LiveServer.start({ turns: [...script, turns.say("ok", { repeat: "always" })] });
  mkdirSync(join(live.cwd, "src"), { recursive: true });
  writeFileSync(join(live.cwd, "src/a.ts"), "const a = 1;\n");
  writeFileSync(join(live.cwd, ".env"), "KEY=1\n");
  writeFileSync(join(live.root, "outside.txt"), "not yours");
  const { client } = await live.connect(choose("allow_once"));
  const { sessionId } = (await client.call("session/new", { cwd: live.cwd })).session;
  let prompts = 0;
  const prompt = async (text: string, promptId = `p${prompts}`) => {
    prompts += 1;
    const { seq } = await client.call("session/get", { sessionId });
    await client.call("session/prompt", { sessionId, promptId, prompt: say(text) });
    await live.idle(seq);
  };
  const refusalOf = (text: string) =>
    prompt(text).then(
      () => "taken",
      (error: ProtocolError) => `${error.kind}: ${error.message}`,
    );
  return { client, sessionId, prompt, refusalOf };
}

describe("a mention in a message", () => {
  it("sends the file to the model, shows people the message as it was written, and is the same after a restart", async () => {
    const { client, sessionId, prompt } = await start();
    await prompt("explain @src/a.ts");
    const sent = lastMessage();
    expect(sent).toMatch(/^explain @src\/a\.ts\n\n<file path="src\/a\.ts">\nconst a = 1;\n<\/file>\n\n\[Today: /);
    const messages = live.updates.flatMap(({ update }) => (update.sessionUpdate === "user_message" ? [update] : []));
    expect(messages[0]).toMatchObject({ content: say("explain @src/a.ts"), attached: [{ type: "text" }, {}] });
    writeFileSync(join(live.cwd, "src/a.ts"), "const a = 2;\n");
    await client.call("session/close", { sessionId });
    await client.call("session/resume", { sessionId, replay: { type: "none" } });
    await prompt("and now?");
    expect(sentMessages()[1]?.content).toBe(sent);
    const { session } = await client.call("session/get", { sessionId });
    expect(session).toMatchObject({ title: "explain @src/a.ts", preview: "explain @src/a.ts" });
  });

  it("counts as reading the file: it can be edited at once, unless it has changed since", async () => {
    const change = (from: string, to: string) =>
      turns.call("edit", { file_path: "src/a.ts", old_string: from, new_string: to });
    const { prompt } = await start(change("a = 1", "a = 2"), turns.say("done"), change("a = 3", "a = 4"));
    await prompt("make it 2 in @src/a.ts");
    expect(readFileSync(join(live.cwd, "src/a.ts"), "utf8")).toBe("const a = 2;\n");
    writeFileSync(join(live.cwd, "src/a.ts"), "const a = 3;\n");
    await prompt("and now 4");
    expect(lastMessage()).toContain("has changed on disk since you last read it");
  });

  it("and a call that read a file count after a resume too: what was read then can be edited at once", async () => {
    const change = (path: string, from: string, to: string) =>
      turns.call("edit", { file_path: path, old_string: from, new_string: to });
    const { client, sessionId, prompt } = await start(
      turns.call("read", { file_path: "src/b.ts" }),
      turns.say("read"),
      change("src/a.ts", "a = 1", "a = 2"),
      change("src/b.ts", "b = 1", "b = 2"),
    );
    writeFileSync(join(live.cwd, "src/b.ts"), "const b = 1;\n");
    await prompt("look at @src/a.ts and b");
    await client.call("session/close", { sessionId });
    await client.call("session/resume", { sessionId, replay: { type: "none" } });
    await prompt("make them 2");
    expect(readFileSync(join(live.cwd, "src/a.ts"), "utf8")).toBe("const a = 2;\n");
    expect(readFileSync(join(live.cwd, "src/b.ts"), "utf8")).toBe("const b = 2;\n");
  });

  it("refuses what the agent would have to ask for, and what is gone, before anything is stored", async () => {
    const { client, sessionId, refusalOf } = await start();
    expect(await refusalOf("what is in @.env")).toBe(
      "invalid_params: .env may hold secrets: let the agent ask for it.",
    );
    expect(await refusalOf("see @../outside.txt")).toBe("invalid_params: ../outside.txt is outside the workspace.");
    expect(await refusalOf("see @src/gone.ts")).toMatch(/^invalid_params: There is no src\/gone\.ts to send/);
    await client.call("permissions/add", { cwd: live.cwd, scope: "user", decision: "deny", rule: "read(src/**)" });
    expect(await refusalOf("see @src/a.ts")).toMatch(
      /^invalid_params: src\/a\.ts is denied by the rule `read\(src\/\*\*\)`/,
    );
    expect((await client.call("session/get", { sessionId })).seq).toBe(0);
    expect(live.model.chatRequests).toEqual([]);
  });

  it("sends a file outside the workspace once the person has confirmed it, and never a secret", async () => {
    const { client, sessionId } = await start(turns.say("read"));
    writeFileSync(join(live.root, "outside.txt"), "from outside");
    const send = (text: string, allowOutside?: boolean) =>
      client.call("session/prompt", {
        sessionId,
        promptId: `p ${text} ${allowOutside}`,
        prompt: [{ type: "text", text }],
        ...(allowOutside === undefined ? {} : { allowOutside }),
      });
    const issue = (path: string) => ({ kind: "invalid_params", data: { issues: [{ path }] } });
    await expect(send("see @../outside.txt")).rejects.toMatchObject(issue("allowOutside"));
    await expect(send("see @../outside.txt and @.env")).rejects.toMatchObject(issue("prompt"));
    await expect(send("see @.env", true)).rejects.toMatchObject(issue("prompt"));
    await send("see @../outside.txt", true);
    await vi.waitFor(() => expect(JSON.stringify(live.model.chatRequests)).toContain("from outside"), 20_000);
  });

  it("reads nothing where the session's folder leads to another place than before", async () => {
    const { refusalOf } = await start();
    renameSync(live.cwd, `${live.cwd} before`);
    mkdirSync(join(live.root, "other"));
    writeFileSync(join(live.root, "other/b.ts"), "not of this session");
    symlinkSync(join(live.root, "other"), live.cwd);
    expect(await refusalOf("see @b.ts")).toMatch(/^invalid_params: b\.ts was not read: .*project leads to .*other now/);
  });

  it("has a picture that a client sends scaled down as one that it mentions, and refuses one that cannot be", async () => {
    const { client, sessionId } = await start();
    const picture = (widthPx: number, heightPx: number) =>
      ({ type: "image", mimeType: "image/png", data: blackPng(widthPx, heightPx).toString("base64") }) as const;
    const prompt = (promptId: string, ...pictures: ReturnType<typeof picture>[]) =>
      client.call("session/prompt", { sessionId, promptId, prompt: [...say("what is on it"), ...pictures] });
    await expect(prompt("p1", picture(8, 8), picture(10_000, 10_000))).rejects.toThrow(
      "Image 2 of the message cannot be sent: 10000 × 10000 pixels are too many; make it smaller first.",
    );
    await prompt("p2", picture(3000, 30));
    await live.idle();
    const [, sent = ""] = /data:image\/png;base64,([A-Za-z0-9+/=]+)/.exec(JSON.stringify(lastMessage())) ?? [];
    const bytes = Buffer.from(sent, "base64");
    expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual([2000, 20]);
  });

  it("is taken once: the same message again changes nothing, also when the file is gone since", async () => {
    const { client, sessionId, prompt } = await start();
    await prompt("explain @src/a.ts", "same");
    rmSync(join(live.cwd, "src/a.ts"));
    const again = { sessionId, promptId: "same", prompt: say("explain @src/a.ts") };
    expect(await client.call("session/prompt", again)).toMatchObject({ duplicate: true });
  });

  it("reads a picture as a picture", async () => {
    const { prompt } = await start();
    writeFileSync(join(live.cwd, "shot.png"), blackPng(1, 1));
    await prompt("what is on @shot.png?");
    expect(JSON.stringify(lastMessage())).toContain("data:image/png;base64,iVBORw0KGgo");
  });
});
