import type { ContextWindow } from "@harness/core";
import { CapabilityRecord } from "@harness/protocol";
import { FLAVOURS, type Flavour, type ModelServer, type ScenarioInput, startModelServer } from "@harness/testkit";
import { afterEach, describe, expect, it } from "vitest";
import { realClock } from "../../test/clocks.ts";
import { createProvider } from "../../test/create-provider.ts";
import { NOTE, patient, SAMPLE } from "../../test/probed-model.ts";
import { resolveModel } from "../../test/resolver.ts";
import { vendorOf } from "../../test/vendor-of.ts";
import type { ProbedModel } from "./probe-runner.ts";
import { type DoctorOptions, type Examination, type ProbeUpdate, runDoctor } from "./run-doctor.ts";

const servers: ModelServer[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

type Visit = Omit<Partial<DoctorOptions>, "choice"> & {
  flavour?: Flavour;
  contextWindow?: ContextWindow;
};

async function open(scenario: ScenarioInput, { flavour = "llamacpp", contextWindow, ...more }: Visit = {}) {
  const server = await startModelServer({ flavour, scenario });
  servers.push(server);
  const vendor = vendorOf(flavour);
  if (!vendor) throw new Error(flavour);
  const baseUrl = flavour === "ollama" ? server.url : server.baseUrl;
  const choice: ProbedModel = {
    plain: createProvider(vendor, { baseUrl, key: "k", clock: realClock, random: () => 0 }),
    model: "m",
    contextWindow: contextWindow ?? { tokens: 32_768, source: "server" },
    vendor: { id: vendor.id, name: vendor.name, local: vendor.local, address: server.url },
    ...(vendor.contextWindowAdvice !== undefined && { contextWindowAdvice: vendor.contextWindowAdvice }),
  };
  const updates: ProbeUpdate[] = [];
  const onProbe = (update: ProbeUpdate) => updates.push(update);
  const ask: DoctorOptions = {
    choice,
    version: "1.2.3",
    clock: realClock,
    signal: new AbortController().signal,
    onProbe,
    abilities: undefined,
    ...more,
  };
  return { server, updates, ask };
}

async function examine(scenario: ScenarioInput, visit: Visit = {}) {
  const { server, updates, ask } = await open(scenario, visit);
  const examined = await runDoctor(ask);
  return { server, updates, examined, ...examinedOf(examined) };
}

type Examined = { capabilities?: CapabilityRecord; outcomes: Record<string, string>; details: Record<string, string> };

function examinedOf({ capabilities }: Examination): Examined {
  if (!capabilities) return { outcomes: {}, details: {} };
  const outcomes = Object.fromEntries(capabilities.probes.map(({ id, outcome }) => [id, outcome]));
  const details = Object.fromEntries(capabilities.probes.map(({ id, detail }) => [id, detail]));
  return { capabilities, outcomes, details };
}

describe("the doctor of a good model", () => {
  it("passes every probe, and saves the capabilities", async () => {
    // On a busy machine, one read may return what was sent within a few milliseconds.
    const note = { toolCalls: [{ name: "save_note", arguments: NOTE }], chunk: { size: 24, delayMs: 30 } };
    const { capabilities, outcomes, updates, server } = await examine(patient({ note: [note] }), {
      abilities: { images: true },
    });
    expect(outcomes).toEqual({
      answers: "passed",
      system_text: "passed",
      native_call: "passed",
      streamed_arguments: "passed",
      text_call: "skipped",
      schema_held: "passed",
      constrained_call: "skipped",
      prompted_call: "skipped",
      parallel_calls: "passed",
      tool_result: "passed",
      no_call: "passed",
      thinking: "passed",
      length_stop: "passed",
      unicode: "passed",
      images: "passed",
      window: "passed",
      prefix: "passed",
    });
    expect(capabilities).toMatchObject({
      provider: "llamacpp",
      model: "m",
      address: server.url,
      harnessVersion: "1.2.3",
      toolMode: "native",
      parallelCalls: true,
      streamsArguments: true,
      thinking: "none",
    });
    expect(CapabilityRecord.parse(capabilities)).toEqual(capabilities);
    expect(updates.map(({ done }) => done)).toEqual(updates.map((_, index) => index + 1));
    expect(updates.map(({ probe }) => probe)).toEqual(capabilities?.probes);
    expect(
      updates.every(({ of, provider, model }) => of === updates.length && provider === "llamacpp" && model === "m"),
    ).toBe(true);
    expect(server.problems).toEqual([]);
  });

  it("costs about 8,000 tokens when the model does not think", async () => {
    const { server } = await examine(patient());
    const bytes = server.chatRequests.reduce((sum, { bodyBytes }) => sum + bodyBytes, 0);
    expect(bytes / 4).toBeLessThan(8_500);
  });

  it("requests the same context window as the loop, so that a server loads the model once", async () => {
    const { server, capabilities } = await examine(patient(), {
      flavour: "ollama",
      contextWindow: { tokens: 8_192, source: "server" },
    });
    const windows = server.chatRequests.map(({ body }) => (body as { options: { num_ctx: number } }).options.num_ctx);
    expect(new Set(windows)).toEqual(new Set([8_192]));
    expect(capabilities).toMatchObject({ toolMode: "native", parallelCalls: true });
  });

  it.each(FLAVOURS.filter((flavour) => vendorOf(flavour)))("is available at %s", async (flavour) => {
    const { capabilities, outcomes, server } = await examine(patient(), { flavour });
    expect(capabilities).toMatchObject({ provider: flavour, toolMode: "native", parallelCalls: true });
    expect(
      Object.entries(outcomes)
        .filter(([, outcome]) => outcome === "failed")
        .map(([id]) => id),
    ).toEqual(capabilities?.streamsArguments ? [] : ["streamed_arguments"]);
    expect(server.problems).toEqual([]);
  });

  it("shows no picture to a model that is not known to see", async () => {
    const { outcomes, server } = await examine(patient());
    expect(outcomes).toMatchObject({ images: "skipped" });
    expect(server.chatRequests.some(({ body }) => JSON.stringify(body).includes("image"))).toBe(false);
  });
});

const TEXT_CALL = `<tool_call>\n${JSON.stringify({ name: "save_note", arguments: NOTE })}\n</tool_call>`;
const weatherText = ["Oslo", "Lima"]
  .map((city) => `<tool_call>\n${JSON.stringify({ name: "get_weather", arguments: { city } })}\n</tool_call>`)
  .join("\n");
const weatherResult = { text: "7 degrees in Oslo, 23 in Lima." };

describe("the doctor of models that call tools in other ways", () => {
  it("keeps native tools when calls in text can be read", async () => {
    const { capabilities, outcomes, details } = await examine(
      patient({ note: [{ text: TEXT_CALL }], weather: [{ text: weatherText }, weatherResult] }),
    );
    expect(outcomes).toMatchObject({
      native_call: "failed",
      streamed_arguments: "skipped",
      text_call: "passed",
      constrained_call: "skipped",
      prompted_call: "skipped",
      parallel_calls: "passed",
      tool_result: "passed",
      no_call: "passed",
    });
    expect(details.text_call).toContain('"hermes"');
    expect(capabilities).toMatchObject({ toolMode: "native", parallelCalls: true, streamsArguments: false });
  });

  it("does not accept a wrong call in text", async () => {
    const wrong = TEXT_CALL.replace("Harbour", "Garden");
    const { capabilities, outcomes } = await examine(
      patient({ note: [{ text: wrong }, { text: "{}" }, { text: "no" }], schema: [{ text: "Blue, and warm." }] }),
    );
    expect(outcomes).toMatchObject({ native_call: "failed", text_call: "failed", schema_held: "failed" });
    expect(capabilities?.toolMode).toBe("native");
  });

  it("constrains a model to a schema when it does not call by itself", async () => {
    const held = JSON.stringify({ say: "", calls: [{ tool: "save_note", args: NOTE }] });
    const cities = ["Oslo", "Lima"].map((city) => ({ tool: "get_weather", args: { city } }));
    const { capabilities, outcomes, server } = await examine(
      patient({
        note: [{ text: "I have saved your note." }, { text: held }],
        weather: [
          { text: JSON.stringify({ say: "", calls: cities }) },
          { text: '{"say": "7 and 23 degrees.", "calls": []}' },
        ],
        sum: [{ text: '{"say": "4", "calls": []}' }],
      }),
    );
    expect(outcomes).toMatchObject({
      native_call: "failed",
      text_call: "failed",
      schema_held: "passed",
      constrained_call: "passed",
      prompted_call: "skipped",
      parallel_calls: "passed",
      tool_result: "passed",
      no_call: "passed",
    });
    expect(capabilities).toMatchObject({ toolMode: "constrained", parallelCalls: true, streamsArguments: false });
    const bodies = server.chatRequests.map(({ body }) => body as { json_schema?: object; tools?: object[] });
    // The schema, the held call, and three questions in the mode that was found.
    expect(bodies.filter((body) => body.json_schema && !body.tools)).toHaveLength(5);
  });

  it("prompts for calls when the server refuses tools for the model", async () => {
    const block = (name: string, args: object) => `\`\`\`json\n${JSON.stringify({ tool: name, args })}\n\`\`\``;
    const { capabilities, outcomes, details } = await examine(
      patient(
        {
          note: [{ text: block("save_note", NOTE) }],
          schema: [{ text: "It is blue." }],
          weather: [{ text: block("get_weather", { city: "Oslo" }) }, { text: "7 degrees in Oslo." }],
        },
        { models: [{ id: "m", capabilities: ["completion"] }] },
      ),
      { flavour: "ollama" },
    );
    expect(outcomes).toMatchObject({
      native_call: "failed",
      text_call: "failed",
      schema_held: "failed",
      constrained_call: "skipped",
      prompted_call: "passed",
      parallel_calls: "failed",
      tool_result: "passed",
      no_call: "passed",
    });
    expect(details.native_call).toContain("does not support tools");
    expect(capabilities).toMatchObject({ toolMode: "prompted", parallelCalls: false });
  });

  it("reports a model that cannot call in any way, and skips the probes that need calls", async () => {
    const silent = () => patient({ note: [{ text: "Done." }, { text: "Done." }], schema: [{ text: "Blue." }] });
    const { capabilities, outcomes, details } = await examine(silent());
    expect(outcomes).toMatchObject({
      prompted_call: "failed",
      parallel_calls: "skipped",
      tool_result: "skipped",
      no_call: "skipped",
    });
    expect(capabilities).toMatchObject({ toolMode: "native", callsTools: false });
    expect(details.prompted_call).toContain("No way works reliably: tools are offered as before.");
    expect((await examine(silent(), { abilities: { tools: false } })).capabilities?.toolMode).toBe("prompted");
  });

  it("leaves tools undecided when the server failed at that moment", async () => {
    const trouble = { fault: { kind: "status", status: 400, message: "cosmic rays", times: "always" } } as const;
    const { capabilities, outcomes } = await examine(patient({ note: [trouble] }));
    expect(outcomes).toMatchObject({
      native_call: "failed",
      text_call: "skipped",
      parallel_calls: "skipped",
      unicode: "passed",
    });
    expect(capabilities?.toolMode).toBe("native");
    expect(capabilities).not.toHaveProperty("callsTools");
  });
});

describe("the doctor of a faulty model or server", () => {
  it("finds thinking that leaks into the text", async () => {
    const { capabilities, outcomes } = await examine(
      patient({
        answers: [{ text: "<think>\nThey want one word.\n</think>\n\nready" }],
        system: [{ text: "<think>Maple first.</think>\nMaple: Tuesday." }],
      }),
    );
    expect(capabilities?.thinking).toBe("leaks");
    expect(outcomes).toMatchObject({ system_text: "passed", thinking: "failed" });
  });

  it("accepts thinking in a field of its own, and allows room for it", async () => {
    const { capabilities, server } = await examine(patient({ answers: [{ thinking: "Hm.", text: "ready" }] }));
    expect(capabilities?.thinking).toBe("separate");
    const limits = server.chatRequests.map(({ body }) => (body as { max_tokens: number }).max_tokens);
    expect(limits[1]).toBeGreaterThan(1_000);
    expect(limits).toContain(16);
  });

  it("leaves tools undecided while the model only thinks", async () => {
    const { capabilities, outcomes } = await examine(patient({ note: [{ thinking: "A note? Hm.", stop: "length" }] }));
    expect(outcomes).toMatchObject({
      native_call: "skipped",
      streamed_arguments: "skipped",
      parallel_calls: "skipped",
    });
    expect(capabilities?.toolMode).toBe("native");
  });

  it("finds an output limit that is ignored or not reported", async () => {
    const numbers = Array.from({ length: 120 }, (_, index) => index + 1).join(", ");
    const ignored = await examine(patient({ count: [{ text: numbers }] }));
    expect(ignored.details.length_stop).toContain("ignored");
    const unannounced = await examine(patient({ count: [{ text: "1, 2, 3, 4, 5, 6," }] }));
    expect(unannounced.outcomes.length_stop).toBe("failed");
    expect(unannounced.details.length_stop).toContain("reports a complete reply");
    const other = await examine(patient({ count: [{ text: "Why should I?" }] }));
    expect(other.outcomes.length_stop).toBe("skipped");
  });

  it("stops a reply without an end", async () => {
    const endless = { generate: { tokens: 20_000, text: "again " } };
    const { outcomes, details } = await examine(patient({ unicode: [endless], count: [endless] }));
    expect(outcomes).toMatchObject({ unicode: "failed", length_stop: "failed", prefix: "passed" });
    expect(details.unicode).toContain("far beyond its length limit");
  });

  it("finds a server that cuts the prompt, and gives advice", async () => {
    const { capabilities, outcomes, details } = await examine(
      patient({ window: [{ text: "There is none.", usage: { inputTokens: 4_096 } }] }),
      { flavour: "ollama" },
    );
    expect(outcomes).toMatchObject({ window: "failed", prefix: "skipped" });
    expect(details.window).toMatch(/read 4096 tokens of a prompt of 4800 short words.*context_limit/);
    expect(capabilities?.windowTokens).toBe(4_096);
  });

  it("finds a context window that is smaller than reported", async () => {
    const { capabilities, outcomes, details } = await examine(patient({ window: [{ fault: { kind: "overflow" } }] }));
    expect(outcomes.window).toBe("failed");
    expect(details.window).toContain("rejected as too long");
    expect(capabilities).not.toHaveProperty("windowTokens");
  });

  it("uses what the model remembers when there are no counts", async () => {
    const knows = await examine(patient({ window: [{ text: "Zebra.", usage: "missing" }] }));
    expect(knows.outcomes.window).toBe("passed");
    const forgot = await examine(patient({ window: [{ text: "Lion.", usage: "missing" }] }));
    expect(forgot.outcomes.window).toBe("skipped");
    expect(forgot.capabilities).not.toHaveProperty("windowTokens");
  });

  it("fills 60 % of a small context window, and of a large one no more than people wait for", async () => {
    const contextWindow: ContextWindow = { tokens: 20_000, source: "server" };
    const usual = await examine(patient(), { contextWindow });
    expect(usual.details.window).toContain("4800 short words");
    expect(usual.details.window).toContain(
      "The whole context window has 20,000 tokens, as the server says; larger prompts were not tested.",
    );
    expect(usual.capabilities).not.toHaveProperty("windowTokens");
    const small = await examine(patient(), { contextWindow: { tokens: 2_000, source: "server" } });
    expect(small.details.window).toContain("1200 short words");
    expect(small.capabilities?.windowTokens).toBe(2_000);
    const assumed = await examine(patient(), { contextWindow: { tokens: 2_000, source: "assumed" } });
    expect(assumed.details.window).toContain("1200 short words");
    expect(assumed.capabilities).not.toHaveProperty("windowTokens");
  });

  it.each([
    ["llamacpp", 0, "failed"],
    ["openai", 0, "skipped"],
    ["openai", 1_024, "passed"],
  ] as const)("judges the cache of %s that reported %i tokens as %s", async (flavour, cachedTokens, outcome) => {
    const { outcomes } = await examine(patient({ prefix: [{ text: "done", usage: { cachedTokens } }] }), { flavour });
    expect(outcomes.prefix).toBe(outcome);
  });

  it("finds destroyed characters, needless tool calls, and an ignored system text", async () => {
    const { outcomes, details } = await examine(
      patient({
        unicode: [{ text: SAMPLE.replace(/[^ -~]/g, "\uFFFD") }],
        sum: [{ toolCalls: [{ name: "get_weather", arguments: { city: "2 + 2" } }] }],
        system: [{ text: "Tuesday." }],
        weather: [
          { toolCalls: [{ name: "get_weather", arguments: { city: "Oslo" } }] },
          { toolCalls: [{ name: "get_weather", arguments: { city: "Oslo" } }] },
        ],
      }),
    );
    expect(outcomes).toMatchObject({
      unicode: "failed",
      no_call: "failed",
      system_text: "failed",
      tool_result: "failed",
    });
    expect(details.unicode).toContain("were lost");
    expect(details.tool_result).toContain("repeated a call");
  });
});

describe("the saved capabilities", () => {
  it("decide how a chosen model is offered tools from then on", async () => {
    const held = JSON.stringify({ say: "", calls: [{ tool: "save_note", args: NOTE }] });
    const { server } = await open(
      patient({ note: [{ text: "Saved." }, { text: held }], sum: [{ text: '{"say": "4", "calls": []}' }] }),
    );
    const where = { clock: realClock, env: { LLAMACPP_URL: server.baseUrl }, provider: "llamacpp" };
    const chosen = await resolveModel(where);
    if ("problem" in chosen) throw new Error(chosen.problem);
    expect(chosen.toolMode).toBe("native");
    const { capabilities: record } = await runDoctor({
      choice: chosen,
      abilities: undefined,
      version: "1.2.3",
      clock: realClock,
      signal: new AbortController().signal,
    });
    const asked: string[] = [];
    const capabilities = (...key: string[]) => {
      asked.push(key.join(" "));
      return record;
    };
    expect(await resolveModel({ ...where, capabilities })).toMatchObject({ toolMode: "constrained" });
    expect(asked).toContain(`${record?.provider} ${record?.model} ${record?.address}`);
  });
});

describe("the doctor without an answer", () => {
  it("reports why the model does not answer, and sends no more requests", async () => {
    const { examined, updates, server } = await examine(
      patient({ answers: [{ fault: { kind: "status", status: 401, times: "always" } }] }),
    );
    expect(examined.capabilities).toBeUndefined();
    expect(examined.problem).toContain("API key");
    expect(updates).toHaveLength(1);
    expect(server.chatRequests).toHaveLength(1);
  });

  it("saves no capabilities when it is stopped half-way", async () => {
    const controller = new AbortController();
    const { server, updates, ask } = await open(patient({ weather: [{ fault: { kind: "hang" } }] }), {
      signal: controller.signal,
    });
    const visit = runDoctor(ask);
    await server.hanging();
    controller.abort();
    const { capabilities, problem, used } = await visit;
    expect([capabilities, problem]).toEqual([undefined, expect.stringContaining("stopped")]);
    // Nothing of the fifth had arrived.
    expect(used).toHaveLength(4);
    expect(used[0]).toMatchObject({ inputTokens: expect.any(Number), outputTokens: expect.any(Number) });
    expect(updates.at(-1)?.probe.id).toBe("prompted_call");
    await server.idle();
    expect(server.chatRequests).toHaveLength(5);
  });

  it("sends no request when it is stopped before it begins", async () => {
    const { examined, server } = await examine(patient(), { signal: AbortSignal.abort() });
    expect(examined.capabilities).toBeUndefined();
    expect(server.chatRequests).toHaveLength(0);
  });
});
