import type { Provider } from "@harness/core";
import { afterEach, describe, expect, it } from "vitest";
import { type Flavour, flavourRows } from "../model-server/flavours/flavour.ts";
import type { WireFormat } from "../model-server/flavours/wire-format.ts";
import { type ModelServer, startModelServer } from "../model-server/server.ts";
import type { TurnInput } from "../model-server/story/scenario.ts";
import { turns } from "../model-server/story/turns.ts";
import { historyContract, type Serve } from "./history-contract.ts";
import { endEvent, failedEvent, joinDeltas, lastOf, talk } from "./talk.ts";
import { wireTraits } from "./wire-traits.ts";

/** A vendor's row, connected to a scripted server that speaks like the vendor. */
export type ProviderRow = {
  flavour: Flavour;
  /** The vendor's display name: its failures mention it. */
  name: string;
  /** The wire format to use. Default: the flavour's own. */
  wire?: WireFormat;
  /** A model that thinks, and signs its thoughts if the vendor supports that. Default: the flavour's. */
  model?: string;
  connect(address: { url: string; baseUrl: string; key: string }): Provider;
};

const KEY = "sk-live-0123456789abcdef";
const TEXT = "Größe 12 €, 日本語, 👩‍💻 and \u{1F600} end.";
const ARGS = { path: "/tmp/naïve 🎉.txt", lines: [1, 2], deep: { quote: '"', slash: "\\" } };

/** The contract of every provider (core's `Provider`), over real HTTP: whole and in pieces, intact and broken. */
export function providerContract(row: ProviderRow): void {
  const { flavour, name, connect, wire = flavourRows[flavour].wire, model = flavourRows[flavour].modelId } = row;
  const servers: ModelServer[] = [];
  const traits = wireTraits(wire, flavour);
  /** In the middle of the text of a turn whose text arrives in more than two pieces. */
  const inText = { afterEvents: traits.eventsBeforeText + 2 };
  afterEach(async () => {
    await Promise.all(servers.splice(0).map((server) => server.close()));
  });
  const serve: Serve = async (played) => {
    const server = await startModelServer({ flavour, scenario: { turns: played } });
    servers.push(server);
    return { server, provider: connect({ url: server.url, baseUrl: server.baseUrl, key: KEY }) };
  };

  historyContract({ flavour, wire, model, serve });

  describe(`provider contract: as ${flavour} speaks (${wire})`, () => {
    it("streams thinking, text and parallel calls, and ends with the whole", async () => {
      const { server, provider } = await serve([
        {
          thinking: "Let me see 🤔.",
          text: TEXT,
          toolCalls: [
            { name: "write", arguments: ARGS },
            { name: "ls", arguments: {} },
          ],
          usage: { inputTokens: 120, outputTokens: 45, cachedTokens: 100, cacheWriteTokens: 15, reasoningTokens: 7 },
        },
      ]);
      const events = await talk(provider);
      const end = endEvent(events);
      expect(end.stop).toBe("tool_calls");
      expect(end.parts.map((part) => part.type)).toEqual(["thinking", "text", "tool_call", "tool_call"]);
      expect(end.parts[0]).toMatchObject({ text: "Let me see 🤔." });
      expect(end.parts[1]).toEqual({ type: "text", text: TEXT });
      expect(end.parts[2]).toMatchObject({ name: "write", input: ARGS });
      expect(end.parts[3]).toMatchObject({ name: "ls", input: {} });
      expect(joinDeltas(events, "text")).toBe(TEXT);
      expect(joinDeltas(events, "thinking")).toBe("Let me see 🤔.");
      expect(joinDeltas(events, "tool_input")).toBe(`${JSON.stringify(ARGS)}{}`);
      // The first call is complete before the reply is; the last one only if the server sends whole calls.
      const whole = events.flatMap((event) => (event.type === "call" ? [event.part] : []));
      expect(whole.length).toBeGreaterThan(0);
      expect(whole).toEqual(end.parts.slice(2, 2 + whole.length));
      expect(end.usage).toMatchObject({ inputTokens: 120, outputTokens: 45 });
      const counts = { cacheReadTokens: 100, cacheWriteTokens: 15, reasoningTokens: 7 };
      for (const count of traits.counts) expect(end.usage).toMatchObject({ [count]: counts[count] });
      expect(server.problems).toEqual([]);
    });

    it.each([1, 2, 3, 4, 5, 6, 7])("reads the same in pieces of %i bytes", async (splitBytes) => {
      const turn: TurnInput = { text: TEXT, toolCalls: [{ name: "write", arguments: ARGS }] };
      const wire = { splitBytes, crlf: splitBytes % 2 === 0 };
      const { provider } = await serve([turn, { ...turn, chunk: { size: 3 }, wire }]);
      const whole = endEvent(await talk(provider));
      const events = await talk(provider);
      const [text, call] = endEvent(events).parts;
      expect(text).toEqual(whole.parts[0]);
      expect(call).toMatchObject({ name: "write", input: ARGS });
      expect(joinDeltas(events, "text")).toBe(TEXT);
    });

    it.each([...traits.oddities])("is not confused by %s", async (_name, wire) => {
      const { provider } = await serve([{ thinking: "hm", text: TEXT, wire }]);
      const end = endEvent(await talk(provider));
      expect(end.stop).toBe("end");
      expect(end.parts).toMatchObject([{ type: "thinking", text: "hm" }, { text: TEXT }]);
    });

    it.each([...traits.callOddities])("reads calls in spite of %s", async (_name, oddities) => {
      const calls = [
        { name: "ls", arguments: {} },
        { name: "write", arguments: ARGS },
      ];
      const { provider } = await serve([{ toolCalls: calls, chunk: { size: 4 }, wire: oddities }]);
      expect(endEvent(await talk(provider)).parts).toMatchObject([
        { name: "ls", input: {} },
        { name: "write", input: ARGS },
      ]);
    });

    it.each<[string, TurnInput["usage"], unknown]>([
      ["missing", "missing", {}],
      [
        "negative",
        { inputTokens: -5, outputTokens: -1, cachedTokens: -1, cacheWriteTokens: -1, reasoningTokens: -1 },
        {},
      ],
      [
        "null",
        { inputTokens: null, outputTokens: 3, cachedTokens: null, cacheWriteTokens: null, reasoningTokens: null },
        { outputTokens: 3 },
      ],
    ])("leaves out counts that are %s", async (_name, usage, expected) => {
      const { provider } = await serve([{ text: "ok", ...(usage && { usage }) }]);
      expect(endEvent(await talk(provider)).usage ?? {}).toEqual(expected);
    });

    it("says that the reply was cut at the limit of its length", async () => {
      const { provider } = await serve([{ text: "half a", stop: "length" }]);
      expect(endEvent(await talk(provider))).toMatchObject({ stop: "length", parts: [{ text: "half a" }] });
    });

    it.runIf(traits.refuses)("says that the model would not answer", async () => {
      const { provider } = await serve([turns.say("I had better", { stop: "contentFilter" }), { refusal: "No." }]);
      expect(endEvent(await talk(provider))).toMatchObject({ stop: "refusal", parts: [{ text: "I had better" }] });
      expect(endEvent(await talk(provider))).toMatchObject({ stop: "refusal", parts: [{ text: "No." }] });
    });

    it("never makes an object of half the arguments", async () => {
      const fault = { kind: "cutArguments", keepCharacters: 9, stop: "length" } as const;
      const { provider } = await serve([{ ...turns.call("write", ARGS), fault }]);
      const end = endEvent(await talk(provider));
      const calls = end.parts.filter((part) => part.type === "tool_call");
      for (const call of calls) expect(call).toMatchObject({ inputText: JSON.stringify(ARGS).slice(0, 9) });
      expect(calls.every((call) => call.input === undefined)).toBe(true);
      expect(end.stop).toBe("length");
    });

    it.each<[string, NonNullable<TurnInput["fault"]>]>([
      ["is reset before the headers", { kind: "reset" }],
      ["is reset in the text", { kind: "disconnect", ...inText }],
      ["is closed in the text", { kind: "disconnect", ...inText, how: "close" }],
      ["ends in order but without a finish reason", { kind: "unfinished" }],
      ["ends after an event that is not JSON", { kind: "malformedChunk", rest: "end" }],
      ["carries an error", { kind: "streamError", ...inText, message: "Provider disconnected unexpectedly" }],
      ["says that it is overloaded", { kind: "streamError", message: "Overloaded", code: "overloaded_error" }],
      ["answers 500", { kind: "status", status: 500 }],
      ["answers 502 with a web page", { kind: "status", status: 502 }],
      ["answers 503", { kind: "status", status: 503 }],
      ["answers 529", { kind: "status", status: 529 }],
      ["answers 408", { kind: "status", status: 408 }],
      ["answers 429", { kind: "status", status: 429 }],
    ])("asks again when a connection %s, and doubles nothing", async (_name, fault) => {
      const { server, provider } = await serve([{ text: "one two three four", chunk: { size: 4 }, fault }]);
      const events = await talk(provider);
      expect(endEvent(events).parts).toEqual([{ type: "text", text: "one two three four" }]);
      expect(joinDeltas(events, "text")).toBe("one two three four");
      // A kept connection that was reset is silently replaced.
      const retries = events.filter((event) => event.type === "retry");
      // A local server that may be starting is tried for longer.
      const isStarting = fault.kind === "status" && (fault.status === 502 || fault.status === 503);
      if (fault.kind !== "reset") expect(retries).toMatchObject([{ attempt: 2, maxAttempts: isStarting ? 12 : 5 }]);
      expect(server.chatRequests).toHaveLength(2);
    });

    it.runIf(wire === "openai-responses")("asks again when the response is said to have failed", async () => {
      const fault = { kind: "streamError", ...inText, message: "The model is overloaded" } as const;
      const { server, provider } = await serve([
        { text: TEXT, chunk: { size: 4 }, fault, wire: { failedEvent: true } },
      ]);
      expect(endEvent(await talk(provider)).parts).toEqual([{ type: "text", text: TEXT }]);
      expect(server.chatRequests).toHaveLength(2);
    });

    it.each([0.25, 0.5, 0.75, 0.9])(
      "never delivers a call of a stream that broke after %d of what comes before its end",
      async (share) => {
        const turn = turns.call("write", ARGS, { chunk: { size: 2 } });
        // The first attempt has every byte except the closing events.
        const measured = await serve([{ ...turn, fault: { kind: "unfinished" } }]);
        endEvent(await talk(measured.provider));
        const bytes = measured.server.chatRequests[0]?.sentBytes ?? 0;
        const afterBytes = Math.floor(bytes * share);
        const { server, provider } = await serve([
          { ...turn, fault: { kind: "disconnect", afterBytes, times: "always" } },
        ]);
        const failed = failedEvent(await talk(provider));
        expect(failed.failure.kind).toBe("network");
        expect(failed.parts ?? []).toEqual([]);
        expect(server.chatRequests).toHaveLength(5);
      },
    );

    it("leaves out a damaged event when the stream goes on", async () => {
      const fault = { kind: "malformedChunk", rest: "continue" } as const;
      const { provider } = await serve([{ text: "one two three", chunk: { size: 4 }, fault }]);
      const events = await talk(provider);
      expect(endEvent(events).parts).toEqual([{ type: "text", text: "one two three" }]);
      expect(events.some((event) => event.type === "retry")).toBe(false);
    });

    it.each<[number, string]>([
      [400, "badRequest"],
      [401, "auth"],
      [402, "auth"],
      [403, "auth"],
      [404, "badRequest"],
      [413, "overflow"],
      [422, "badRequest"],
    ])("does not repeat what was answered with %i", async (status, kind) => {
      const { server, provider } = await serve([turns.fail({ kind: "status", status, times: "always" })]);
      const { failure } = failedEvent(await talk(provider));
      expect(failure.kind).toBe(kind);
      // A server on this machine goes by its address alone.
      expect([name, new URL(server.url).host].filter((each) => failure.message.includes(each))).not.toEqual([]);
      expect(failure.message).not.toContain(KEY);
      expect(server.chatRequests).toHaveLength(1);
    });

    it("recognises that the conversation is too long", async () => {
      const { server, provider } = await serve([turns.fail({ kind: "overflow", times: "always" })]);
      expect(failedEvent(await talk(provider)).failure.kind).toBe("overflow");
      expect(server.chatRequests).toHaveLength(1);
    });

    it("stops at once when it is cancelled before the headers", async () => {
      const { server, provider } = await serve([turns.fail({ kind: "hang" })]);
      const abort = new AbortController();
      const events = talk(provider, {}, abort.signal);
      await server.hanging();
      abort.abort();
      expect(lastOf(await events)).toEqual({ type: "end", parts: [], stop: "cut" });
      await server.idle();
      expect(server.chatRequests[0]?.aborted).toBe(true);
    });

    it("keeps what had arrived when it is cancelled, and closes the connection", async () => {
      const turn: TurnInput = {
        text: "one two three four",
        chunk: { size: 4 },
        fault: { kind: "hang", ...inText },
      };
      const { server, provider } = await serve([turn]);
      const abort = new AbortController();
      const events = talk(provider, {}, abort.signal);
      await server.hanging();
      abort.abort();
      const end = endEvent(await events);
      expect(end.stop).toBe("cut");
      for (const part of end.parts)
        expect("one two three four".startsWith("text" in part ? part.text : "?")).toBe(true);
      await server.idle();
      expect(server.chatRequests[0]?.aborted).toBe(true);
    });

    it("ends without a request when it is cancelled before it begins", async () => {
      const { server, provider } = await serve([turns.say("never")]);
      const events = await talk(provider, {}, AbortSignal.abort());
      expect(events).toEqual([{ type: "end", parts: [], stop: "cut" }]);
      expect(server.chatRequests).toHaveLength(0);
    });

    it("closes the connection when its reader has stopped", async () => {
      const { server, provider } = await serve([
        { text: "one two three", chunk: { size: 4 }, fault: { kind: "hang", ...inText } },
      ]);
      for await (const event of provider.stream(
        {
          model: "m",
          system: "",
          messages: [{ role: "user", content: [{ type: "text", text: "x" }] }],
          tools: [],
          priority: "turn",
        },
        new AbortController().signal,
      )) {
        if (event.type === "text") break;
      }
      await server.idle();
      expect(server.chatRequests[0]?.aborted).toBe(true);
    });

    it("uses one connection for many requests", async () => {
      const { server, provider } = await serve([turns.say("a"), turns.say("b"), turns.say("c")]);
      for (const word of ["a", "b", "c"]) expect(joinDeltas(await talk(provider), "text")).toBe(word);
      expect(server.problems).toEqual([]);
    });
  });

  describe(`a server that is not there, as ${flavour}`, () => {
    it("is named with its address, at once", async () => {
      const { server, provider } = await serve([]);
      await server.close();
      const events = await talk(provider);
      const { failure } = failedEvent(events);
      expect(events).toHaveLength(1);
      expect(failure.kind).toBe("network");
      expect(failure.message).toContain(`127.0.0.1:${server.port}`);
      expect(failure.message).not.toContain(KEY);
    });
  });
}
