// The agent with the client of the SDK, and what a client may send.
import { spawn } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Readable, Writable } from "node:stream";
import type { ReadableStream as NodeReadableStream } from "node:stream/web";
import { pathToFileURL } from "node:url";
import { client, methods, ndJsonStream } from "@agentclientprotocol/sdk";
import { turns } from "@harness/testkit";
import { describe, expect, it } from "vitest";
import { type AcpProbe, choosing } from "../support/acp-probe.ts";
import { acpProbing } from "../support/acp-probing.ts";

let probe: AcpProbe;
const started = acpProbing((each) => {
  probe = each;
});

const prompted = () => JSON.stringify(probe.model.requests.at(-1)?.body);

describe("the client of the SDK", () => {
  it("has a task done, with a permission", async () => {
    await started({ turns: [turns.call("bash", { command: "echo hi > out.txt" }), turns.say("Done.")] });
    const [program = "", ...args] = probe.command;
    const child = spawn(program, args, { env: probe.environment, cwd: probe.root, stdio: ["pipe", "pipe", "inherit"] });
    const input: NodeReadableStream = Readable.toWeb(child.stdout);
    const stream = ndJsonStream(Writable.toWeb(child.stdin), input as ReadableStream<Uint8Array>);
    const titles: unknown[] = [];
    const app = client({ name: "test" }).onRequest(methods.client.session.requestPermission, ({ params }) => {
      titles.push(params.toolCall.title);
      return { outcome: { outcome: "selected", optionId: params.options[0]?.optionId ?? "" } };
    });
    const text = await app.connectWith(stream, async (agent) => {
      await agent.request(methods.agent.initialize, { protocolVersion: 1 });
      return await agent.buildSession(probe.cwd).withSession(async (session) => {
        const answer = session.prompt("Go");
        let said = "";
        for (;;) {
          const message = await session.nextUpdate();
          if (message.kind === "stop") break;
          const { update } = message;
          if (update.sessionUpdate === "agent_message_chunk" && update.content.type === "text")
            said += update.content.text;
        }
        expect((await answer).stopReason).toBe("end_turn");
        return said;
      });
    });
    expect({ text, titles }).toEqual({ text: "Done.", titles: ["echo hi > out.txt"] });
    expect(readFileSync(join(probe.cwd, "out.txt"), "utf8")).toBe("hi\n");
    child.kill();
  });
});

describe("a prompt", () => {
  it("has links, embedded files and images; what a file says mentions nothing", async () => {
    await started({ turns: [turns.say("Seen.")] });
    const sessionId = await probe.open();
    writeFileSync(join(probe.cwd, "a b.txt"), "linked text\n");
    writeFileSync(join(probe.cwd, "secret.txt"), "not this\n");
    const uri = pathToFileURL(join(probe.cwd, "a b.txt")).href;
    const { result } = await probe.ask("session/prompt", {
      sessionId,
      prompt: [
        { type: "text", text: "Look at " },
        { type: "resource_link", uri, name: "a b.txt" },
        { type: "resource_link", uri: "https://example.com/page", name: "page" },
        { type: "resource", resource: { uri: "file:///x.txt", text: "embedded @secret.txt" } },
      ],
    });
    expect(result).toMatchObject({ stopReason: "end_turn" });
    for (const text of ["linked text", "https://example.com/page", "embedded @secret.txt"])
      expect(prompted()).toContain(text);
    expect(prompted()).not.toContain("not this");
  });

  it.each([
    ["nothing", []],
    ["audio", [{ type: "audio", data: "AAAA", mimeType: "audio/wav" }]],
    ["a file that is no text", [{ type: "resource", resource: { uri: "file:///x", blob: "AAAA" } }]],
    ["an image that is none", [{ type: "image", data: "AAAA", mimeType: "image/png" }]],
  ])("of %s is refused, and the next one is not", async (_what, prompt) => {
    await started({ turns: [turns.say("Here.")] });
    const sessionId = await probe.open();
    expect((await probe.ask("session/prompt", { sessionId, prompt })).error).toBeDefined();
    expect((await probe.prompt(sessionId, "Hello")).result).toMatchObject({ stopReason: "end_turn" });
  });

  it("that mentions a file outside the folder is asked about", async () => {
    await started({ turns: [turns.say("Seen."), turns.say("Again.")] });
    writeFileSync(join(probe.root, "notes.txt"), "outside text\n");
    const answers = ["reject_once", "allow_once"];
    probe.answers["session/request_permission"] = (params) => choosing(answers.shift() ?? "")(params);
    const sessionId = await probe.open();
    const text = `Read @${JSON.stringify(join(probe.root, "notes.txt"))}`;
    expect((await probe.prompt(sessionId, text)).error?.code).toBe(-32602);
    expect((await probe.prompt(sessionId, text)).result).toMatchObject({ stopReason: "end_turn" });
    expect(prompted()).toContain("outside text");
  });

  it("whose model refuses the key fails with a sentence, and asks to log in", async () => {
    await started({ turns: [{ fault: { kind: "status", status: 401 } }] });
    const sessionId = await probe.open();
    expect((await probe.prompt(sessionId, "Hello")).error).toMatchObject({ code: -32000 });
  });
});

describe("an address that an MCP server wants to be opened", () => {
  const server = join(import.meta.dirname, "../../packages/mcp/test/servers/plain-server.ts");
  const mcpServers = [{ name: "plain", command: process.execPath, args: [server], env: [] }];
  const page = "https://example.com/login?a=1";

  /** The question to a client with these abilities. */
  async function asked(elicitation: object): Promise<Record<string, unknown> | undefined> {
    await started({ turns: [turns.call("mcp__plain__ask-url", { url: page }), turns.say("Done.")] });
    probe.answers["session/request_permission"] = choosing("allow_once");
    probe.answers["elicitation/create"] = ({ mode }) => ({
      action: "accept",
      ...(mode === "form" ? { content: { choice: "yes" } } : {}),
    });
    await probe.initialize({ elicitation });
    const { sessionId } = await probe.call("session/new", { cwd: probe.cwd, mcpServers });
    expect((await probe.prompt(String(sessionId), "Go")).result).toMatchObject({ stopReason: "end_turn" });
    expect(prompted()).toContain("accept");
    return probe.requests("elicitation/create").at(-1);
  }

  it("is opened by a client that can, which learns when the turn is over", async () => {
    const request = await asked({ form: {}, url: {} });
    expect(request).toMatchObject({ mode: "url", url: page, message: expect.stringContaining("example.com") });
    const over = probe.messages.find(({ method }) => method === "elicitation/complete");
    expect(over?.params).toEqual({ elicitationId: request?.elicitationId });
  });

  it("is a question in words to a client that opens none", async () => {
    const request = await asked({ form: {} });
    expect(request).toMatchObject({ mode: "form", message: expect.stringContaining("Open this in a browser") });
  });
});

describe("what happens meanwhile", () => {
  it("shows the output of a running command, and its end", async () => {
    await started({
      turns: [turns.call("bash", { command: "echo early; sleep 1; echo late" }), turns.say("Done.")],
    });
    probe.answers["session/request_permission"] = choosing("allow_once");
    // Its terminals are not used: a request for one would be a problem here.
    const sessionId = await probe.open({ terminal: true });
    await probe.prompt(sessionId, "Go");
    const shown = probe.updates("tool_call_update").map((update) => JSON.stringify(update));
    expect(shown.some((text) => text.includes("\\nearly\\n") && !text.includes("early\\nlate"))).toBe(true);
    expect(shown.at(-1)).toContain("early\\nlate");
  });

  it("begins a reply again that broke off, as another message, and says so", async () => {
    const words = "These are a few words, and some more.";
    const broken = turns.say(words, { chunk: { size: 6 }, fault: { kind: "disconnect", afterEvents: 4 } });
    await started({ turns: [broken] });
    const sessionId = await probe.open({ session: { notices: {} } });
    expect((await probe.prompt(sessionId, "Hello")).result).toMatchObject({ stopReason: "end_turn" });
    expect(probe.updates("notice")).toContainEqual(
      expect.objectContaining({ severity: "warning", title: "The reply broke off; it begins again." }),
    );
    const byId = Map.groupBy(probe.updates("agent_message_chunk"), ({ messageId }) => messageId);
    const texts = [...byId.values()].map((chunks) => chunks.map(({ content }) => Object(content).text).join(""));
    expect(texts).toEqual([expect.stringMatching(/^These/), words]);
    expect(texts[0]?.length).toBeLessThan(words.length);
  });

  it("tells tasks as a plan", async () => {
    await started({
      turns: [
        turns.call("todo_write", {
          todos: [
            { text: "Look", status: "completed" },
            { text: "Do", status: "in_progress" },
          ],
        }),
        turns.say("Planned."),
      ],
    });
    const sessionId = await probe.open();
    await probe.prompt(sessionId, "Go");
    expect(probe.updates("plan")).toMatchObject([
      { entries: [{ content: "Look", status: "completed", priority: "medium" }, { content: "Do" }] },
    ]);
  });

  it("updates the plan by its id, and takes it away, for a client that knows plans so", async () => {
    const todos = (...texts: string[]) =>
      turns.call("todo_write", { todos: texts.map((text) => ({ text, status: "pending" })) });
    await started({ turns: [todos("Look"), todos(), turns.say("Done.")] });
    const sessionId = await probe.open({ plan: {} });
    await probe.prompt(sessionId, "Go");
    expect(probe.updates("plan")).toEqual([]);
    expect(probe.updates("plan_update")).toMatchObject([{ plan: { type: "items", entries: [{ content: "Look" }] } }]);
    expect(probe.updates("plan_removed")).toHaveLength(1);
  });

  it("ends with its input although a turn runs", async () => {
    await started({ turns: [turns.say("Never.", { delayMs: 60_000 })] });
    const sessionId = await probe.open();
    void probe.prompt(sessionId, "Hello");
    await probe.until(() => probe.updates("session_info_update").length > 0);
    expect(await probe.end()).toBe(0);
  });
});

describe("more folders", () => {
  it("count as the workspace", async () => {
    await started({ turns: [turns.call("read", { file_path: "../more/b.txt" }), turns.say("Read.")] });
    await probe.initialize();
    const more = join(probe.root, "more");
    mkdirSync(more);
    writeFileSync(join(more, "b.txt"), "from beside\n");
    const params = { cwd: probe.cwd, mcpServers: [], additionalDirectories: [more], _meta: { mine: true } };
    const { sessionId } = await probe.call("session/new", params);
    await probe.prompt(String(sessionId), "Go");
    expect(probe.requests("session/request_permission")).toEqual([]);
    expect(prompted()).toContain("from beside");
  });
});

describe("MCP servers of the client", () => {
  it("are used in its session", async () => {
    await started({ turns: [turns.say("Hello.")] });
    await probe.initialize();
    const server = join(import.meta.dirname, "../../node_modules/@modelcontextprotocol/server-memory/dist/index.js");
    mkdirSync(join(probe.root, "home"));
    const mcpServers = [{ name: "notes", command: process.execPath, args: [server], env: [{ name: "X", value: "1" }] }];
    const { sessionId } = await probe.call("session/new", { cwd: probe.cwd, mcpServers });
    const { servers } = await probe.call("_harness/mcp/list", { sessionId });
    expect(servers).toMatchObject([{ name: "notes" }]);
    await probe.prompt(String(sessionId), "/mcp");
    expect(probe.text()).toContain("notes");
  });

  it("of a kind that is not offered are refused", async () => {
    await started();
    await probe.initialize();
    const mcpServers = [{ type: "acp", name: "x", id: "x" }];
    const { error } = await probe.ask("session/new", { cwd: probe.cwd, mcpServers });
    expect(error).toMatchObject({ code: -32602 });
  });
});
