// Lines as a careless or hostile client writes them.
import { turns } from "@harness/testkit";
import { describe, expect, it } from "vitest";
import type { AcpProbe } from "../support/acp-probe.ts";
import { acpProbing } from "../support/acp-probing.ts";

let probe: AcpProbe;
const started = acpProbing((each) => {
  probe = each;
});

const errors = () => probe.messages.flatMap(({ id, error }) => (id === null && error ? [error.code] : []));
const line = (message: object) => `${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`;

async function stillThere(): Promise<void> {
  const sessionId = await probe.open();
  expect((await probe.prompt(sessionId, "Hello")).result).toMatchObject({ stopReason: "end_turn" });
}

describe("a line", () => {
  it.each([
    ["no JSON", "{nonsense\n", -32700],
    ["a batch", `[${line({ id: 7, method: "initialize", params: { protocolVersion: 1 } }).trim()}]\n`, -32600],
    ["an empty batch", "[]\n", -32600],
    ["a number", "5\n", -32600],
    ["no message", "{}\n", -32600],
  ])("that is %s is answered with an error, and the next one is read", async (_what, text, code) => {
    await started({ turns: [turns.say("Here.")] });
    probe.write(text);
    await probe.until(() => errors().length > 0);
    expect(errors()).toEqual([code]);
    await stillThere();
  });

  it("may come in pieces, with a carriage return, and after empty ones", async () => {
    await started({ turns: [turns.say("Here.")] });
    const bytes = Buffer.from(line({ id: "é", method: "initialize", params: { protocolVersion: 1 } }).trim());
    const middle = bytes.indexOf("é") + 1;
    probe.write("\n\r\n");
    probe.child.stdin?.write(bytes.subarray(0, middle));
    await new Promise(setImmediate);
    probe.child.stdin?.write(bytes.subarray(middle));
    probe.write("\r\n");
    const answer = await probe.until(() => probe.messages.find(({ id }) => id === "é"));
    expect(answer.result).toMatchObject({ protocolVersion: 1 });
    probe.problems.length = 0;
    await stillThere();
  });

  it("of 40 MB ends the connection, with a word on stderr", async () => {
    await started();
    await probe.initialize();
    // The agent no longer reads.
    probe.child.stdin?.on("error", () => undefined);
    probe.write(line({ id: "big", method: "session/list", params: { _meta: { text: "x".repeat(40_000_000) } } }));
    expect(await probe.exited).toBe(1);
    expect(probe.problems.splice(0)).toEqual([expect.stringMatching(/harness acp: .*32/)]);
  });
});

describe("the id of a request", () => {
  it.each(["text", "", 0, -1, 1.5])("may be %j", async (id) => {
    await started();
    await probe.initialize();
    probe.write(line({ id, method: "session/teleport", params: {} }));
    const answer = await probe.until(() => probe.messages.find((each) => each.id === id && each.error));
    expect(answer.error?.code).toBe(-32601);
  });

  it("that is null is answered so, or is an invalid request", async () => {
    await started({ turns: [turns.say("Here.")] });
    probe.write(line({ id: null, method: "session/teleport", params: {} }));
    await probe.until(() => errors().length > 0);
    await stillThere();
  });
});

describe("a cancel", () => {
  it("has no answer of its own, whatever it names", async () => {
    await started({ turns: [turns.say("Here.")] });
    const sessionId = await probe.open();
    const before = probe.messages.filter(({ method }) => method === undefined).length;
    probe.notify("session/cancel", { sessionId });
    probe.notify("session/cancel", { sessionId: "20200101-000000-none" });
    probe.notify("$/cancel_request", { requestId: "nothing" });
    probe.notify("$/cancel_request", { requestId: 0 });
    expect((await probe.prompt(sessionId, "Hello")).result).toMatchObject({ stopReason: "end_turn" });
    expect(probe.messages.filter(({ method }) => method === undefined)).toHaveLength(before + 1);
  });

  it("behind the end of a turn changes nothing, and the next turn runs", async () => {
    await started({ turns: [turns.say("One."), turns.say("Two.")] });
    const sessionId = await probe.open();
    const first = await probe.prompt(sessionId, "First");
    probe.notify("session/cancel", { sessionId });
    const second = await probe.prompt(sessionId, "Second");
    expect([first.result, second.result]).toMatchObject([{ stopReason: "end_turn" }, { stopReason: "end_turn" }]);
  });

  it("of a request beside the prompt is answered, and the prompt goes on", async () => {
    await started({ turns: [turns.say("One.", { delayMs: 300 })] });
    const sessionId = await probe.open();
    const prompt = probe.prompt(sessionId, "First");
    const list = probe.ask("session/list");
    probe.notify("$/cancel_request", { requestId: list.id });
    const { result, error } = await list;
    expect(error?.code ?? -32800).toBe(-32800);
    expect(result ?? error).toBeDefined();
    expect((await prompt).result).toMatchObject({ stopReason: "end_turn" });
  });

  it("twice, and at the moment in which a question is asked, ends the prompt once", async () => {
    await started({ turns: [turns.call("bash", { command: "touch made" }), turns.say("Never.")] });
    const sessionId = await probe.open();
    probe.answers["session/request_permission"] = () => {
      probe.notify("session/cancel", { sessionId });
      probe.notify("session/cancel", { sessionId });
      return { outcome: { outcome: "cancelled" } };
    };
    expect((await probe.prompt(sessionId, "Go")).result).toMatchObject({ stopReason: "cancelled" });
    expect(probe.files()).toEqual([]);
  });
});

it("ten prompts at once are answered in their order, each after its own turn", async () => {
  const said = Array.from({ length: 10 }, (_, at) => `Answer ${at}.`);
  await started({ turns: said.map((text) => turns.say(text)) });
  const sessionId = await probe.open();
  const ends: string[] = [];
  await Promise.all(
    said.map(async (_, at) => {
      const { result } = await probe.prompt(sessionId, `Question ${at}`);
      ends.push(`${at} ${String(result?.stopReason)}`);
    }),
  );
  expect(ends).toEqual(said.map((_, at) => `${at} end_turn`));
  expect(probe.text()).toBe(said.join(""));
});
