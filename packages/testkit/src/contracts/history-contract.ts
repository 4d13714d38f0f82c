import type { ModelMessage, Provider } from "@harness/core";
import type { AgentPart } from "@harness/protocol";
import { describe, expect, it } from "vitest";
import type { Flavour } from "../model-server/flavours/flavour.ts";
import type { WireFormat } from "../model-server/flavours/wire-format.ts";
import type { ModelServer } from "../model-server/server.ts";
import type { TurnInput } from "../model-server/story/scenario.ts";
import { turns } from "../model-server/story/turns.ts";
import { endEvent, talk } from "./talk.ts";
import { signatureOf } from "./wire-traits.ts";

/** Starts a server that plays these turns, and a provider that talks to it. */
export type Serve = (played: TurnInput[]) => Promise<{ server: ModelServer; provider: Provider }>;

const THOUGHT = 'Let me see 🤔, "quoted".';
const PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const image = { type: "image" as const, mimeType: "image/png", data: PNG };
const LS = { name: "ls", description: "Lists a folder.", inputSchema: { type: "object", properties: {} } };

function says(text: string): ModelMessage {
  return { role: "user", content: [{ type: "text", text }] };
}

/** The result of each call, in the order of the calls. */
function resultsOf(parts: readonly AgentPart[], images: (typeof image)[] = []): ModelMessage[] {
  const calls = parts.filter((part) => part.type === "tool_call");
  return calls.map(({ toolCallId, name }) => ({
    role: "tool",
    toolCallId,
    name,
    text: `result of ${name}`,
    isError: false,
    ...(images.length > 0 && { images }),
  }));
}

/** The contract of continued conversations: the server refuses whatever its vendor would refuse. */
export function historyContract(row: { flavour: Flavour; wire: WireFormat; model: string; serve: Serve }): void {
  const { flavour, wire, model, serve } = row;

  /** One reply with thoughts and a call, and the request after its result. */
  async function continued(from: { provider?: string; model?: string } = {}, next: ModelMessage[] = []) {
    const first: TurnInput = { thinking: THOUGHT, text: "Look:", toolCalls: [{ name: "ls", arguments: {} }] };
    const { server, provider } = await serve([first, turns.say("ok")]);
    const { parts } = endEvent(await talk(provider, { model, tools: [LS] }));
    const reply: ModelMessage = { role: "assistant", parts, provider: provider.id, model, ...from };
    const messages = [says("hello"), reply, ...resultsOf(parts), ...next];
    const end = endEvent(await talk(provider, { model, tools: [LS], messages }));
    expect(server.problems).toEqual([]);
    expect(end.parts).toEqual([{ type: "text", text: "ok" }]);
    return { body: JSON.stringify(server.chatRequests[1]?.body) };
  }

  describe(`history contract: as ${flavour} speaks (${wire})`, () => {
    const signature = signatureOf(wire, flavour, THOUGHT, "ls");

    it("sends back what was thought, signed as it came, with the results of its calls", async () => {
      const { body } = await continued();
      expect(body).toContain("result of ls");
      if (signature !== undefined) expect(body).toContain(signature);
    });

    it.each([
      ["another vendor", { provider: "elsewhere", model: "other" }],
      ["another model", { model: "other" }],
    ])("sends nothing signed by %s", async (_name, from) => {
      const answered: ModelMessage = { role: "assistant", parts: [{ type: "text", text: "There." }], ...from };
      const { body } = await continued(from, [answered, says("next")]);
      expect(body).toContain("result of ls");
      if (signature !== undefined) expect(body).not.toContain(signature);
    });

    it("takes ids and thoughts of a vendor with other rules", async () => {
      const { server, provider } = await serve([turns.say("ok")]);
      const parts: AgentPart[] = [
        { type: "thinking", text: "hm", signature: "foreign-signature", vendorData: { field: "elsewhere" } },
        {
          type: "tool_call",
          toolCallId: "functions.ls:0",
          name: "ls",
          input: {},
          vendorData: { mark: "foreign-mark" },
        },
        { type: "tool_call", toolCallId: "x".repeat(450), name: "ls", input: {} },
      ];
      const from = { provider: "elsewhere", model: "other" };
      const answered: ModelMessage = { role: "assistant", parts: [{ type: "text", text: "There." }], ...from };
      const before: ModelMessage[] = [
        says("hello"),
        { role: "assistant", parts, ...from },
        ...resultsOf(parts),
        answered,
      ];
      expect(endEvent(await talk(provider, { model, tools: [LS], messages: [...before, says("next")] })).stop).toBe(
        "end",
      );
      expect(server.problems).toEqual([]);
      expect(JSON.stringify(server.chatRequests[0]?.body)).not.toMatch(/foreign-(signature|mark)/);
    });

    it("takes what a person says right after a result", async () => {
      const { body } = await continued({}, [says("and be quick")]);
      expect(body).toContain("and be quick");
    });

    it("keeps parallel calls apart, and their results in order", async () => {
      const calls = ["a", "b", "c"].map((path) => ({ name: "ls", arguments: { path } }));
      const { server, provider } = await serve([{ toolCalls: calls }, turns.say("ok")]);
      const { parts } = endEvent(await talk(provider, { model, tools: [LS] }));
      expect(parts.map((part) => part.type === "tool_call" && part.input)).toEqual([
        { path: "a" },
        { path: "b" },
        { path: "c" },
      ]);
      expect(new Set(parts.map((part) => part.type === "tool_call" && part.toolCallId)).size).toBe(3);
      const reply: ModelMessage = { role: "assistant", parts, provider: provider.id, model };
      await talk(provider, { model, tools: [LS], messages: [says("hello"), reply, ...resultsOf(parts)] });
      expect(server.problems).toEqual([]);
    });

    it("shows images, of the person and of a result", async () => {
      const { server, provider } = await serve([turns.call("ls"), turns.say("ok")]);
      const asked: ModelMessage = { role: "user", content: [{ type: "text", text: "what is it?" }, image] };
      const { parts } = endEvent(await talk(provider, { model, tools: [LS], messages: [asked] }));
      expect(JSON.stringify(server.chatRequests[0]?.body)).toContain(PNG);
      const reply: ModelMessage = { role: "assistant", parts, provider: provider.id, model };
      await talk(provider, { model, tools: [LS], messages: [asked, reply, ...resultsOf(parts, [image])] });
      expect(JSON.stringify(server.chatRequests[1]?.body).split(PNG)).toHaveLength(3);
      expect(server.problems).toEqual([]);
    });
  });
}
