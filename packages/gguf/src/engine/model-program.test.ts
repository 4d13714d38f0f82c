import { spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { demandRuntime, gather, type RunningModel, RunningModels, testRuntime } from "../../test/running-models.ts";
import type { GenerateEvent, GenerateRequest } from "./generate.ts";

// Nothing here is mocked: a model with random weights is loaded and run by llama.cpp in its own process.

let models: RunningModels;
let model: RunningModel;
/** Writes the beginning of a call wherever it may. */
let eager: RunningModel;

beforeAll(async () => {
  await demandRuntime();
  models = new RunningModels();
  model = await models.start({ slots: 2, contextTokens: 1024 });
  eager = await models.start({ favourite: "||call:", seed: 7 });
});
afterAll(() => models?.end());

const endOf = (events: GenerateEvent[]) => {
  const last = events.at(-1);
  if (last?.type !== "end") throw new Error(JSON.stringify(last));
  return last;
};
const failureOf = (events: GenerateEvent[]) => {
  const last = events.at(-1);
  if (last?.type !== "failed") throw new Error(JSON.stringify(last));
  return last.failure;
};
const said = (events: GenerateEvent[]) => events.map((each) => (each.type === "text" ? each.text : "")).join("");
const person = (text: string) => ({ role: "user" as const, content: [{ type: "text" as const, text }] });

const read: GenerateRequest["tools"][number] = {
  name: "read",
  description: "Reads a file.",
  inputSchema: {
    type: "object",
    properties: {
      file: { enum: ["a.txt", "b.txt"] },
      whole: { type: "boolean" },
      part: { type: "object", properties: { from: { enum: [1, 2] }, to: { enum: [3] } }, required: ["from"] },
    },
    required: ["file", "part"],
  },
};

/** The process that has answered for the model. Never 0, which means our own when a signal is sent. */
async function running(of: RunningModel): Promise<number> {
  await of.ask();
  const { pid } = of;
  if (!pid) throw new Error("no process runs the model");
  return pid;
}

async function until(holds: () => boolean): Promise<void> {
  // Works in concurrent tests, too, where `expect.poll` does not know its test.
  await vi.waitUntil(holds, { interval: 5, timeout: 60_000 });
}

/** A process that has ended but was not reaped yet counts as dead. */
const isAlive = (pid: number) => {
  try {
    process.kill(pid, 0);
    return process.platform !== "linux" || !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
};

describe("a model file without a server", () => {
  it("is loaded and answers, reports token counts, and reuses its prompt cache", async () => {
    const events = await model.ask();
    const end = endOf(events);
    expect(events[0]).toEqual({
      type: "status",
      phase: "prefill",
      doneTokens: 0,
      totalTokens: end.usage?.inputTokens,
    });
    expect(end.stop).toBe("length");
    expect(end.usage).toMatchObject({ outputTokens: 12, cacheReadTokens: 0 });
    expect(end.parts).toEqual([{ type: "text", text: said(events) }]);
    expect(said(events)).not.toBe("");

    const again = await model.ask();
    expect(said(again)).toBe(said(events));
    expect(endOf(again).usage?.cacheReadTokens).toBe(end.usage?.inputTokens);
  });

  it("calls a tool in the form of the schema, and continues from the result", async () => {
    const asked = { messages: [person("Read it.")], tools: [read], maxOutputTokens: 200 };
    const events = await eager.ask(asked);
    const end = endOf(events);
    expect(end.stop).toBe("tool_calls");
    const [call] = end.parts;
    if (call?.type !== "tool_call") throw new Error(JSON.stringify(end.parts));
    expect(call.name).toBe("read");
    expect(["a.txt", "b.txt"]).toContain(call.input?.file);
    expect(call.input?.part).toMatchObject({ from: expect.toBeOneOf([1, 2]) });
    // Optional fields may be present, but are never null.
    expect(JSON.stringify(call.input)).not.toContain("null");
    const streamed = events.flatMap((each) => (each.type === "tool_input" ? [each] : []));
    expect(new Set(streamed.map((each) => each.toolCallId))).toEqual(new Set([call.toolCallId]));
    expect(JSON.parse(streamed.map((each) => each.text).join(""))).toMatchObject({ file: call.input?.file });

    const written = { role: "assistant" as const, parts: end.parts, provider: "gguf", model: eager.path };
    const result = {
      role: "tool" as const,
      toolCallId: call.toolCallId,
      name: "read",
      text: '1 "x"\n2',
      isError: false,
    };
    const next = endOf(await eager.ask({ ...asked, messages: [...asked.messages, written, result] }));
    // All of the first prompt and of the call is still there, to the byte.
    const before = end.usage?.inputTokens ?? 0;
    expect(next.usage?.cacheReadTokens).toBeGreaterThan(before);
    expect(next.usage?.inputTokens).toBeGreaterThan(next.usage?.cacheReadTokens ?? 0);
    expect(next.parts.some((part) => part.type === "tool_call")).toBe(true);
  });

  it("constrains a whole answer to a schema", async () => {
    const responseSchema = {
      type: "object",
      properties: { tool: { enum: ["read", "write"] }, lines: { type: "array", items: { const: 1 }, maxItems: 2 } },
      required: ["tool", "lines"],
    };
    const events = await model.ask({ responseSchema, maxOutputTokens: 200 });
    expect(endOf(events).stop).toBe("end");
    const answer = JSON.parse(said(events));
    expect(["read", "write"]).toContain(answer.tool);
    expect(Array.isArray(answer.lines)).toBe(true);
  });

  it("stops in the middle of an answer, and answers the next request", async () => {
    const cancelled = new AbortController();
    const events: GenerateEvent[] = [];
    for await (const event of model.stream({ maxOutputTokens: 900 }, cancelled.signal)) {
      events.push(event);
      if (event.type === "text") cancelled.abort();
    }
    expect(endOf(events)).toEqual({ type: "end", parts: [{ type: "text", text: said(events) }], stop: "cut" });
    expect(endOf(await model.ask()).stop).toBe("length");
  });

  it("handles two requests at a time", async () => {
    expect(model.slots).toBe(2);
    const both = [0, 1].map((slot) => {
      return model.stream({ slot, messages: [person(`I am ${slot}.`)], maxOutputTokens: 60 });
    });
    const isText = async (events: AsyncGenerator<GenerateEvent>) => {
      for (;;) {
        const { value, done } = await events.next();
        if (done || value.type !== "status") return value?.type === "text";
      }
    };
    expect(await Promise.all(both.map(isText)), "both have begun, and none has ended").toEqual([true, true]);
    for (const events of both) expect(endOf(await gather(events)).usage?.outputTokens).toBe(60);
  });
});

describe("the context window of a model file", () => {
  it("is that of the model, and a longer conversation fails with both numbers", async () => {
    expect(model.contextWindow).toBe(1024);
    const failure = failureOf(await model.ask({ messages: [person("word ".repeat(1_000))] }));
    expect(failure.kind).toBe("overflow");
    expect(failure.message).toMatch(/the conversation has \d+ tokens, and the window 1024\./);
  });

  it("ends an answer that fills it, without dropping any of the conversation", async () => {
    const small = await models.start({ limit: 512, contextTokens: 4096 });
    expect(small.contextWindow).toBe(512);
    const end = endOf(await small.ask({ maxOutputTokens: 100_000 }));
    expect(end.stop).toBe("length");
    const { inputTokens = 0, outputTokens = 0 } = end.usage ?? {};
    expect(inputTokens + outputTokens).toBeLessThanOrEqual(512);
    expect(inputTokens + outputTokens).toBeGreaterThan(480);
    // The beginning of the conversation is still in its slot.
    expect(endOf(await small.ask()).usage?.cacheReadTokens).toBe(inputTokens);
    // A loaded model keeps its context window, unless the user sets a new one.
    expect((await models.start({ path: small.path })).contextWindow).toBe(512);
    expect((await models.start({ path: small.path, limit: 600 })).contextWindow).toBe(600);
  });
});

describe("the process of a model file", () => {
  it("can be killed: the answer fails with a message, and the next request starts a new one", async () => {
    const before = await running(model);
    const events: GenerateEvent[] = [];
    for await (const event of model.stream({ maxOutputTokens: 900 })) {
      events.push(event);
      if (event.type === "text" && isAlive(before)) process.kill(before, "SIGKILL");
    }
    expect(failureOf(events)).toMatchObject({
      kind: "network",
      message: expect.stringContaining("was killed by SIGKILL, as happens when memory runs out. The next request"),
    });
    expect(events.at(-1)).toMatchObject({ parts: [{ type: "text", text: said(events) }], retryable: false });
    expect(endOf(await model.ask()).stop).toBe("length");
    expect(model.pid).not.toBe(before);
  });

  it("ignores a Ctrl+C, which is meant for harness", async () => {
    const pid = await running(model);
    process.kill(pid, "SIGINT");
    expect(endOf(await model.ask()).stop).toBe("length");
    expect(model.pid).toBe(pid);
  });

  it.concurrent("ends with harness, even when harness is killed", async () => {
    const source = `
      import { RunningModels } from ${JSON.stringify(join(import.meta.dirname, "../../test/running-models.ts"))};
      const model = await new RunningModels().start({ path: ${JSON.stringify(model.path)} });
      await model.ask();
      console.log(model.pid);
      await new Promise((resolve) => setTimeout(resolve, 60_000));`;
    const harness = spawn(process.execPath, ["--input-type=module", "--eval", source], {
      stdio: ["ignore", "pipe", "inherit"],
      env: { ...process.env, TMPDIR: models.root },
    });
    const [output] = await Promise.race([once(harness.stdout.setEncoding("utf8"), "data"), once(harness, "close")]);
    const pid = Number(output);
    expect(isAlive(pid)).toBe(true);
    harness.kill("SIGKILL");
    await until(() => !isAlive(pid));
  });

  it.concurrent("does not keep a program alive that has its answer", async () => {
    const source = `
      import { RunningModels } from ${JSON.stringify(join(import.meta.dirname, "../../test/running-models.ts"))};
      const model = await new RunningModels().start({ path: ${JSON.stringify(model.path)} });
      console.log((await model.ask()).at(-1).stop);`;
    const program = spawn(process.execPath, ["--input-type=module", "--eval", source], {
      stdio: ["ignore", "pipe", "inherit"],
      env: { ...process.env, TMPDIR: models.root },
    });
    const output: string[] = [];
    program.stdout.setEncoding("utf8").on("data", (text: string) => output.push(text));
    expect(await once(program, "close")).toEqual([0, null]);
    expect(output.join("")).toBe("length\n");
  });

  it.concurrent("frees the memory when there was no request for a while", async () => {
    const short = await models.start({ keepAlive: "0" });
    const events: GenerateEvent[] = [];
    let pid = 0;
    for await (const event of short.stream()) {
      events.push(event);
      if (event.type === "text") pid = short.pid ?? 0;
    }
    expect(endOf(events).stop).toBe("length");
    await until(() => short.pid === undefined && !isAlive(pid));
  });

  it.concurrent("stops loading when every request was cancelled, which is answered at once", async () => {
    const fresh = await models.start();
    const cancelled = new AbortController();
    const asked = gather(fresh.stream({}, cancelled.signal));
    await until(() => fresh.pid !== undefined);
    cancelled.abort();
    expect(endOf(await asked)).toEqual({ type: "end", parts: [], stop: "cut" });
  });
});

describe("a model file that cannot be run", () => {
  it.concurrent("is reported in the words of llama.cpp when it was cut off after its header", async () => {
    const path = join(models.root, "cut.gguf");
    writeFileSync(path, readFileSync(model.path).subarray(0, 200_000));
    const failure = failureOf(await (await models.start({ path })).ask());
    expect(failure.kind).toBe("config");
    expect(failure.message).toContain(`${path} cannot be loaded: `);
    expect(failure.message).toContain("It said: ");
  });

  it.concurrent("is reported as such while the runtime is missing or broken", async () => {
    const missing = await models.start({ env: { HARNESS_GGUF_RUNTIME: join(models.root, "nothing") } });
    expect(failureOf(await missing.ask())).toEqual({
      kind: "config",
      message: `${missing.path} cannot be run yet. Model files need node-llama-cpp (about 120 MB), which \`harness model add <file.gguf>\` installs.`,
    });
    const broken = join(models.root, "broken");
    mkdirSync(broken);
    copyFileSync(join(testRuntime, "package-lock.json"), join(broken, "package-lock.json"));
    const failure = failureOf(await (await models.start({ env: { HARNESS_GGUF_RUNTIME: broken } })).ask());
    expect(failure).toMatchObject({ kind: "config", message: expect.stringContaining("does not work here") });
  });

  it("is reported when the prompt has an image", async () => {
    const content = [{ type: "image" as const, mimeType: "image/png", data: "" }];
    const failure = failureOf(await model.ask({ messages: [{ role: "user", content }] }));
    expect(failure.message).toBe(`${model.path} reads text only: it cannot see images.`);
    const older = await model.ask({ messages: [{ role: "user", content }, person("And now?")] });
    expect(endOf(older).stop).toBe("length");
  });
});
