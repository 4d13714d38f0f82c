import { call, calling, MemorySession, probeTool, type Script, saying } from "@harness/testkit";
import { describe, expect, it } from "vitest";

const ask = probeTool("ask", async (_args, { extracts, signal }) => {
  if (!extracts) return { status: "ok", text: "as it is", blocks: [] };
  const text = await extracts.ask({ system: "Choose.", text: `For: ${extracts.purpose}` }, signal);
  return { status: "ok", text: `${extracts.aboveLines}: ${text ?? "nothing"}`, blocks: [] };
});
const results = (memory: MemorySession) =>
  memory.facts("tool_call_update").flatMap(({ outcome }) => outcome?.text ?? []);
const usage = { inputTokens: 500, outputTokens: 20 };
const script: Script = ({ system, messages }) => {
  if (system === "Choose.") return saying("lines 1 to 3", { usage });
  return messages.at(-1)?.role === "tool" ? saying("ok") : calling(call(`a${messages.length}`, "ask", {}));
};
const session = (aboveLines: number, play: Script = script) =>
  new MemorySession({ script: play, tools: [ask], options: { extract_files_above: aboveLines } });

describe("a tool that has a model choose lines", () => {
  it("may do so only where the setting says from how many lines on", async () => {
    const memory = session(0);
    await memory.say("mend it");
    expect(results(memory)).toEqual(["as it is"]);
  });

  it("asks behind everything else, with what the person wants, and what it spends is counted once", async () => {
    const memory = session(300);
    await memory.say("mend it");
    expect(results(memory)).toEqual(["300: lines 1 to 3"]);
    const side = memory.provider.requests[1];
    expect(side).toMatchObject({ system: "Choose.", priority: "background", tools: [] });
    expect(JSON.stringify(side?.messages)).toContain("For: mend it");
    const { live, folded, client } = memory.states;
    expect(live).toMatchObject({ requests: 3, usage });
    expect(memory.facts("state_update").at(-1)?.usage).toMatchObject(usage);
    expect(folded).toEqual(live);
    expect(client).toEqual(live);
  });

  it("goes on without an answer where the model fails, and ends with the turn where the person cancels", async () => {
    const broken = session(300, (request, n) => {
      const failure = { kind: "refused", message: "no" } as const;
      return request.system === "Choose." ? [{ type: "failed", failure }] : script(request, n);
    });
    await broken.say("mend it");
    expect(results(broken)).toEqual(["300: nothing"]);
    const hanging = session(300, (request, n) =>
      request.system === "Choose." ? [{ type: "until", promise: new Promise(() => undefined) }] : script(request, n),
    );
    hanging.prompt("mend it");
    await hanging.untilRequests(2);
    hanging.session.cancel();
    await hanging.session.idle();
    expect(hanging.facts("state_update").at(-1)).toMatchObject({ stopReason: "cancelled" });
  });
});
