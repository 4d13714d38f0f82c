import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { turns } from "@harness/testkit";
import { describe, expect, it } from "vitest";
import { type AcpProbe, choosing } from "../support/acp-probe.ts";
import { acpProbing } from "../support/acp-probing.ts";

let probe: AcpProbe;
const started = acpProbing((each) => {
  probe = each;
});

const prompted = () => JSON.stringify(probe.model.requests.at(-1)?.body);

describe("a connection", () => {
  it("begins with a version, capabilities and ways to log in", async () => {
    await started();
    expect(await probe.initialize()).toMatchObject({
      protocolVersion: 1,
      agentInfo: { name: "harness" },
      agentCapabilities: { loadSession: true },
      authMethods: [{ id: "ready-model" }],
    });
  });

  it.each([0, 7, 65_535])("answers version %i with its own", async (protocolVersion) => {
    await started();
    expect(await probe.call("initialize", { protocolVersion })).toMatchObject({ protocolVersion: 1 });
  });

  it("offers to log in with a terminal to a client that has one", async () => {
    await started();
    const { authMethods } = await probe.initialize({ auth: { terminal: true } });
    expect(authMethods).toContainEqual(expect.objectContaining({ type: "terminal", args: ["setup"] }));
    expect(await probe.call("authenticate", { methodId: "ready-model" })).toEqual({});
    expect((await probe.ask("authenticate", { methodId: "magic" })).error?.code).toBe(-32602);
  });

  it("says whether a model is ready", async () => {
    await started();
    const { agentCapabilities } = await probe.initialize();
    expect(agentCapabilities).toMatchObject({ auth: { status: {} }, _meta: { harness: { steering: true } } });
    expect(await probe.call("auth/status")).toEqual({ state: "authenticated" });
  });

  it("adds what the client wants in the system text", async () => {
    await started({ turns: [turns.say("Ahoy."), turns.say("Aye.")] });
    await probe.initialize();
    for (const systemPrompt of ["Talk like a pirate.", { append: "Talk like a sailor." }]) {
      const setup = { cwd: probe.cwd, mcpServers: [], _meta: { systemPrompt } };
      const { sessionId } = await probe.call("session/new", setup);
      await probe.prompt(String(sessionId), "Hello");
      expect(prompted()).toContain(typeof systemPrompt === "string" ? systemPrompt : systemPrompt.append);
    }
    for (const systemPrompt of [7, { append: 7 }, "x".repeat(20_001)]) {
      const setup = { cwd: probe.cwd, mcpServers: [], _meta: { systemPrompt } };
      expect((await probe.ask("session/new", setup)).error?.code).toBe(-32602);
    }
  });

  it("adds the system prompt of a client, also where a session is loaded, and replaces none", async () => {
    await started({ turns: [turns.say("Ahoy.", { repeat: "always" })] });
    const { agentCapabilities } = await probe.initialize();
    expect(agentCapabilities).toMatchObject({ sessionCapabilities: { systemPrompt: {} } });
    const text = (words: string) => ({ type: "text", text: words });
    const where = { cwd: probe.cwd, mcpServers: [] };
    const begun = { mode: "append", content: [text("Talk like a pirate."), text("Be short.")] };
    const { sessionId } = await probe.call("session/new", { ...where, systemPrompt: begun });
    await probe.prompt(String(sessionId), "Hello");
    expect(prompted()).toContain("Talk like a pirate.\\n\\nBe short.");
    await probe.call("session/close", { sessionId });
    const loaded = { mode: "append", content: [text("Talk like a sailor.")] };
    await probe.call("session/load", { ...where, sessionId, systemPrompt: loaded });
    await probe.prompt(String(sessionId), "Hello");
    expect(prompted()).toContain("Talk like a sailor.");
    for (const wrong of [
      { mode: "override", content: [text("Mine.")] },
      { mode: "append", content: [] },
      { mode: "append", content: [{ type: "image", data: "", mimeType: "image/png" }] },
    ])
      expect((await probe.ask("session/new", { ...where, systemPrompt: wrong })).error?.code).toBe(-32602);
  });

  it("refuses a session until a model is there", async () => {
    await started(undefined, { OPENAI_API_KEY: "", OPENAI_BASE_URL: "", HARNESS_MODEL: "" });
    await probe.initialize();
    expect(await probe.call("auth/status")).toEqual({ state: "unauthenticated" });
    const { error } = await probe.ask("session/new", { cwd: probe.cwd, mcpServers: [] });
    expect(error).toMatchObject({ code: -32000 });
  });

  it("answers methods that it does not know, and goes on after lines that mean nothing", async () => {
    await started({ turns: [turns.say("Here.")] });
    const sessionId = await probe.open();
    expect((await probe.ask("session/teleport")).error?.code).toBe(-32601);
    expect((await probe.ask("_other/thing")).error?.code).toBe(-32601);
    probe.notify("_other/thing", {});
    probe.write("no json\n[]\n\n5\n");
    await probe.until(() => probe.messages.filter(({ id, error }) => id === null && error).length === 3);
    expect((await probe.ask("session/prompt", { sessionId: 5 })).error?.code).toBe(-32602);
    expect((await probe.prompt(sessionId, "Hello")).result).toMatchObject({ stopReason: "end_turn" });
  });

  it("ends with its input, at once and without a word", async () => {
    await started();
    await probe.open();
    expect(await probe.end()).toBe(0);
  });

  it.each(["before initialize", "after it"])("ends %s as well", async (when) => {
    await started();
    if (when === "after it") await probe.initialize();
    expect(await probe.end()).toBe(0);
  });
});

describe("a session", () => {
  it.each([
    ["a relative folder", { cwd: "project" }],
    ["a folder that is not there", { cwd: "/nowhere/at/all" }],
    ["more folders that are not there", { additionalDirectories: ["/nowhere"] }],
  ])("is refused with %s", async (_what, params) => {
    await started();
    await probe.initialize();
    const { error } = await probe.ask("session/new", { cwd: probe.cwd, mcpServers: [], ...params });
    expect(error).toMatchObject({ code: -32602 });
  });

  it("answers a prompt with text, thoughts and counts", async () => {
    await started({ turns: [turns.say("Hello there.", { thinking: "They greet." })] });
    const sessionId = await probe.open();
    const { result } = await probe.prompt(sessionId, "Hello");
    expect(result).toMatchObject({ stopReason: "end_turn", usage: { totalTokens: expect.any(Number) } });
    expect(probe.text(sessionId)).toBe("Hello there.");
    expect(probe.updates("user_message_chunk")).toEqual([]);
    expect(probe.updates("session_info_update")).toMatchObject([{ title: "Hello" }]);
  });

  it("is unknown until it is opened here", async () => {
    await started();
    await probe.initialize();
    expect((await probe.prompt("20200101-000000-none", "Hello")).error).toMatchObject({ code: -32002 });
  });

  it("answers a second prompt after its own turn", async () => {
    await started({ turns: [turns.say("One.", { delayMs: 300 }), turns.say("Two.")] });
    const sessionId = await probe.open();
    const ends: string[] = [];
    const first = probe.prompt(sessionId, "First").then(() => ends.push(probe.text()));
    const second = probe.prompt(sessionId, "Second").then(() => ends.push(probe.text()));
    await Promise.all([first, second]);
    expect(ends).toEqual(["One.", "One.Two."]);
  });

  it("sends a steering prompt into the running turn, and answers it at its end", async () => {
    const call = { ...turns.call("glob", { pattern: "*.x" }), delayMs: 300 };
    await started({ turns: [call, turns.say("Both done.")] });
    const sessionId = await probe.open();
    const first = probe.prompt(sessionId, "First");
    await probe.until(() => probe.updates("session_info_update").length > 0);
    const prompt = [{ type: "text", text: "And the second" }];
    const second = probe.call("session/prompt", { sessionId, prompt, _meta: { steering: true } });
    expect((await first).result).toMatchObject({ stopReason: "end_turn" });
    expect(await second).toMatchObject({ stopReason: "end_turn" });
    expect(probe.text()).toBe("Both done.");
  });

  it("refuses a prompt of ten megabytes with a sentence, and answers the next one", async () => {
    await started({ turns: [turns.say("Here.")] });
    const sessionId = await probe.open();
    const { error } = await probe.prompt(sessionId, "word ".repeat(2_000_000));
    expect(error).toMatchObject({ code: -32602, message: expect.stringContaining("more than 8 MB of text") });
    expect((await probe.prompt(sessionId, "Hello")).result).toMatchObject({ stopReason: "end_turn" });
  });
});

describe("a cancel", () => {
  it("ends the prompt as cancelled, and so the one that waits", async () => {
    await started({ turns: [turns.say("Never.", { delayMs: 60_000 })] });
    const sessionId = await probe.open();
    const first = probe.prompt(sessionId, "First");
    const second = probe.prompt(sessionId, "Second");
    await probe.until(() => probe.updates("session_info_update").length > 0);
    probe.notify("session/cancel", { sessionId });
    expect((await first).result).toMatchObject({ stopReason: "cancelled" });
    expect((await second).result).toMatchObject({ stopReason: "cancelled" });
  });

  it("counts although it comes right behind the prompt", async () => {
    await started({ turns: [turns.say("Never.", { delayMs: 60_000 })] });
    const sessionId = await probe.open();
    const prompt = probe.prompt(sessionId, "First");
    probe.notify("session/cancel", { sessionId });
    expect((await prompt).result).toMatchObject({ stopReason: "cancelled" });
  });

  it("of the request ends it as well", async () => {
    await started({ turns: [turns.say("Never.", { delayMs: 60_000 })] });
    const sessionId = await probe.open();
    const prompt = probe.prompt(sessionId, "First");
    probe.notify("$/cancel_request", { requestId: prompt.id });
    expect((await prompt).result).toMatchObject({ stopReason: "cancelled" });
  });

  it("of nothing changes nothing", async () => {
    await started({ turns: [turns.say("Here.")] });
    const sessionId = await probe.open();
    probe.notify("session/cancel", { sessionId });
    probe.notify("session/cancel", { sessionId: "20200101-000000-none" });
    expect((await probe.prompt(sessionId, "Hello")).result).toMatchObject({ stopReason: "end_turn" });
  });
});

describe("a call", () => {
  const edit = turns.call("edit", { file_path: "a.txt", old_string: "two", new_string: "2" });

  async function editing(): Promise<string> {
    const sessionId = await probe.open();
    writeFileSync(join(probe.cwd, "a.txt"), "one\ntwo\nthree\n");
    return sessionId;
  }

  it("is asked about with what was shown of it: a command", async () => {
    await started({ turns: [turns.call("bash", { command: "echo hi > out.txt" }), turns.say("Done.")] });
    probe.answers["session/request_permission"] = choosing("allow_once");
    const sessionId = await probe.open();
    await probe.prompt(sessionId, "Go");
    const [shown] = probe.updates("tool_call");
    const [asked] = probe.requests("session/request_permission");
    expect(asked?.toolCall).toEqual(without(shown, "sessionUpdate"));
    expect(shown).toMatchObject({ kind: "execute", title: "echo hi > out.txt", status: "pending" });
    expect(JSON.stringify(shown?.content)).toContain("echo hi > out.txt");
    expect(readFileSync(join(probe.cwd, "out.txt"), "utf8")).toBe("hi\n");
    expect(probe.updates("tool_call_update").at(-1)).toMatchObject({ status: "completed" });
  });

  it("is asked about with what was shown of it: an edit", async () => {
    await started({ turns: [turns.call("read", { file_path: "a.txt" }), edit, turns.say("Done.")] });
    probe.answers["session/request_permission"] = choosing("allow_once");
    const sessionId = await editing();
    const path = join(probe.cwd, "a.txt");
    await probe.prompt(sessionId, "Go");
    const [read, shown] = probe.updates("tool_call");
    const [asked] = probe.requests("session/request_permission");
    expect(read).toMatchObject({ kind: "read", name: "read", title: "read a.txt", locations: [{ path }] });
    expect(asked?.toolCall).toEqual(without(shown, "sessionUpdate"));
    expect(shown).toMatchObject({
      kind: "edit",
      title: "edit a.txt",
      locations: [{ path, line: 2 }],
      content: [{ type: "diff", path, oldText: "one\ntwo\nthree\n", newText: "one\n2\nthree\n" }, {}],
    });
    const names = ((asked?.options ?? []) as { name: string }[]).map(({ name }) => name).join("\n");
    expect(names).toContain("`edit` of a.txt, in this project");
    // A second diff would be drawn beside the first one.
    const later = JSON.stringify(probe.updates("tool_call_update"));
    expect(later).toContain('"completed"');
    expect(later).not.toContain('"diff"');
    expect(readFileSync(path, "utf8")).toBe("one\n2\nthree\n");
  });

  it("has its diff in its first message where nobody is asked, too", async () => {
    await started({ turns: [turns.call("write", { file_path: "new.txt", content: "hello\n" }), turns.say("Done.")] });
    mkdirSync(join(probe.root, "home"));
    writeFileSync(join(probe.root, "home/settings.json"), '{ "permission_mode": "accept-edits" }');
    const sessionId = await probe.open();
    await probe.prompt(sessionId, "Go");
    const path = join(probe.cwd, "new.txt");
    expect(probe.updates("tool_call")).toMatchObject([
      { kind: "edit", status: "completed", content: [{ type: "diff", path, oldText: null, newText: "hello\n" }] },
    ]);
  });

  it.each([
    ["a client that cannot ask", undefined],
    ["a rejection", choosing("reject_once")],
    ["an option that does not exist", () => ({ outcome: { outcome: "selected", optionId: "yes-to-all" } })],
    ["an answer that means nothing", () => ({ yes: true })],
  ])("is denied by %s", async (_what, answer) => {
    await started({ turns: [turns.call("bash", { command: "echo hi > out.txt" }), turns.say("Done.")] });
    if (answer) probe.answers["session/request_permission"] = answer;
    const sessionId = await probe.open();
    expect((await probe.prompt(sessionId, "Go")).result).toMatchObject({ stopReason: "end_turn" });
    expect(probe.updates("tool_call_update").at(-1)).toMatchObject({ status: "failed" });
    expect(() => readFileSync(join(probe.cwd, "out.txt"))).toThrow("ENOENT");
  });

  it("that waits for an answer is withdrawn with its prompt", async () => {
    await started({ turns: [turns.call("bash", { command: "echo hi > out.txt" }), turns.say("Done.")] });
    probe.answers["session/request_permission"] = () => new Promise(() => undefined);
    const sessionId = await probe.open();
    const prompt = probe.prompt(sessionId, "Go");
    await probe.until(() => probe.requests("session/request_permission").length > 0);
    probe.notify("session/cancel", { sessionId });
    expect((await prompt).result).toMatchObject({ stopReason: "cancelled" });
    await probe.until(() => probe.messages.some(({ method }) => method === "$/cancel_request"));
  });
});

function without(update: Record<string, unknown> | undefined, field: string): Record<string, unknown> {
  return Object.fromEntries(Object.entries(update ?? {}).filter(([name]) => name !== field));
}
