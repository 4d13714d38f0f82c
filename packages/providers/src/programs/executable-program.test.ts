import { chmodSync, existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import {
  endEvent,
  failedEvent,
  isAlive,
  joinDeltas,
  lastOf,
  type ModelServer,
  startModelServer,
  talk,
  turns,
} from "@harness/testkit";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { realClock } from "../../test/clocks.ts";
import { createProvider } from "../../test/create-provider.ts";
import { VendorFiles } from "../vendor-files/vendor-files.ts";
import { isReady } from "./ask-program.ts";

const gateway = resolve(import.meta.dirname, "../../../../examples/plugins/providers/providers/gateway");
const tools = [{ name: "ls", description: "Lists.", inputSchema: { type: "object" } }];
const chat = (delta: object, finish: string | null = null) =>
  `data: ${JSON.stringify({ choices: [{ delta, finish_reason: finish }] })}\n\n`;

let folder: string;
let server: ModelServer | undefined;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "harness programs ")));
});
afterEach(async () => {
  await server?.close();
  server = undefined;
  rmSync(folder, { recursive: true });
});

/** A program that answers the queries as usual, and a request with the given lines. */
function program(lines: string, defaults = "protocol=openai", env = ""): string {
  const path = join(folder, "mine");
  const script = [
    "#!/bin/sh",
    'case "$1" in',
    "--describe) echo Mine; exit ;;",
    `--defaults) printf '${defaults}\\nmodel=m\\n'; exit ;;`,
    `--env) printf '${env}\\n'; exit ;;`,
    "--ready) exit 0 ;;",
    "esac",
    `cd '${folder}'`,
    lines,
  ];
  writeFileSync(path, `${script.join("\n")}\n`);
  chmodSync(path, 0o755);
  return path;
}

const path = `${dirname(process.execPath)}:${process.env.PATH}`;

async function connect(file: string, env: Record<string, string> = {}) {
  const from = { folders: [dirname(file)], env: { PATH: path, ...env }, clock: realClock };
  const registry = await new VendorFiles().load(from);
  const vendor = registry.all.find((each) => each.program === file);
  if (!vendor) throw new Error(registry.problems.join("\n"));
  return createProvider(vendor, { env: from.env, clock: realClock, random: () => 0 });
}

/** The program replies with this text, and stores its request. */
function printing(text: string): string {
  writeFileSync(join(folder, "reply"), text);
  return "cat > request.json; cat reply";
}

describe("examples/plugins/providers/providers/gateway", () => {
  it("answers like the server behind it, and fails with the server's message", async () => {
    server = await startModelServer({
      flavour: "openai",
      scenario: {
        turns: [
          turns.call("ls", { path: "ä" }, { text: "Let me see.", chunk: { size: 2 } }),
          turns.fail({ kind: "status", status: 401, times: "always" }),
        ],
      },
    });
    const provider = await connect(gateway, { GATEWAY_URL: server.baseUrl, GATEWAY_TOKEN: "token-of-mine" });
    const events = await talk(provider, { tools });
    expect(endEvent(events)).toMatchObject({
      stop: "tool_calls",
      parts: [{ text: "Let me see." }, { name: "ls", input: { path: "ä" } }],
    });
    expect(joinDeltas(events, "text")).toBe("Let me see.");
    expect(server.requests[0]?.headers["x-team"]).toBe("examples");
    expect(server.problems).toEqual([]);
    const { failure } = failedEvent(await talk(provider));
    expect(failure).toMatchObject({ kind: "auth", message: expect.stringContaining(`Our gateway at ${gateway}`) });
    expect(failure.message).not.toContain("token-of-mine");
  });

  it("is retried when it requests that, and reports the reason", async () => {
    const gone = await startModelServer({ flavour: "openai", scenario: {} });
    await gone.close();
    const provider = await connect(gateway, { GATEWAY_URL: gone.baseUrl, GATEWAY_TOKEN: "t" });
    const events = await talk(provider);
    expect(events.filter((event) => event.type === "retry")).toHaveLength(4);
    expect(failedEvent(events).failure).toMatchObject({
      kind: "network",
      message: expect.stringContaining("ECONNREFUSED"),
    });
  });

  it("is ready when its variables are set, and gets only those that it names", async () => {
    const { all } = await new VendorFiles().load({
      folders: [dirname(gateway)],
      env: { PATH: path },
      clock: realClock,
    });
    const vendor = all.find((each) => each.id === "gateway");
    if (!vendor) throw new Error("no gateway");
    expect(vendor).toMatchObject({
      name: "Our gateway",
      defaultModel: "scripted-model",
      programEnv: ["GATEWAY_URL", "GATEWAY_TOKEN"],
      keyEnv: "GATEWAY_TOKEN",
    });
    expect(await isReady(vendor, { PATH: path }, realClock)).toMatchObject({
      ok: false,
      problem: expect.stringContaining("Set GATEWAY_URL and GATEWAY_TOKEN."),
    });
    expect(await isReady(vendor, { PATH: path, GATEWAY_URL: "u", GATEWAY_TOKEN: "t" }, realClock)).toMatchObject({
      ok: true,
    });
  });
});

const anthropicEvents = [
  { type: "message_start", message: { id: "m", role: "assistant", content: [], usage: { input_tokens: 3 } } },
  { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
  { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "Hi." } },
  { type: "content_block_stop", index: 0 },
  { type: "message_delta", delta: { stop_reason: "end_turn" }, usage: { output_tokens: 2 } },
  { type: "message_stop" },
];
const responsesEvents = [
  { type: "response.created", response: { id: "r", status: "in_progress" } },
  {
    type: "response.output_item.added",
    output_index: 0,
    item: { type: "message", id: "i", role: "assistant", content: [] },
  },
  { type: "response.output_text.delta", output_index: 0, item_id: "i", content_index: 0, delta: "Hi." },
  {
    type: "response.completed",
    response: {
      id: "r",
      status: "completed",
      output: [{ type: "message", id: "i", role: "assistant", content: [{ type: "output_text", text: "Hi." }] }],
    },
  },
];
const sse = (events: { type: string }[]) =>
  events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join("");

describe("the reply of a provider program", () => {
  it.each<[string, string]>([
    ["chat completions, streamed", `${chat({ content: "H" })}${chat({ content: "i." }, "stop")}data: [DONE]\n\n`],
    ["a chat completion", JSON.stringify({ choices: [{ message: { content: "Hi." }, finish_reason: "stop" }] })],
    [
      "a chat completion over many lines",
      JSON.stringify({ choices: [{ message: { content: "Hi." }, finish_reason: "stop" }] }, null, 2),
    ],
    ["Anthropic messages, streamed", sse(anthropicEvents)],
    [
      "an Anthropic message",
      JSON.stringify({
        type: "message",
        role: "assistant",
        content: [{ type: "text", text: "Hi." }],
        stop_reason: "end_turn",
        usage: { input_tokens: 3, output_tokens: 2 },
      }),
    ],
    ["responses, streamed", sse(responsesEvents)],
    ["a response", JSON.stringify({ object: "response", ...responsesEvents[3]?.response })],
    [
      "lines of Ollama",
      `${JSON.stringify({ message: { content: "Hi" }, done: false })}\n${JSON.stringify({ message: { content: "." }, done: true, done_reason: "stop" })}\n`,
    ],
    ["one line of Ollama", JSON.stringify({ message: { content: "Hi." }, done: true })],
    ["with blank lines and a mark before it", `\uFEFF\n\n${chat({ content: "Hi." }, "stop")}`],
  ])("is read as %s", async (_name, reply) => {
    const end = endEvent(await talk(await connect(program(printing(reply)))));
    expect(end).toMatchObject({ stop: "end", parts: [{ type: "text", text: "Hi." }] });
  });

  it.each(["openai", "anthropic", "responses", "ollama"])("is in the format of its request: %s", async (protocol) => {
    const reply = chat({ content: "Hi." }, "stop");
    await talk(await connect(program(printing(reply), `protocol=${protocol}`)), { model: "m", maxOutputTokens: 99 });
    const sent = JSON.parse(readFileSync(join(folder, "request.json"), "utf8"));
    const limits = { openai: sent.max_tokens, anthropic: sent.max_tokens, responses: sent.max_output_tokens };
    expect(sent.model).toBe("m");
    expect({ ...limits, ollama: sent.options?.num_predict }[protocol]).toBe(99);
  });

  it("is given with only the program's own arguments and variables", async () => {
    const lines = `cat > /dev/null; env > env; echo "$1" > args; printf '${chat({ content: "ok" }, "stop").trim()}\\n\\n'`;
    const env = { MINE_KEY: "mine", OTHER_KEY: "other", LD_PRELOAD: "", HTTPS_PROXY: "http://proxy" };
    const provider = await connect(program(lines, "protocol=openai", "MINE_KEY=what lets us in"), env);
    endEvent(await talk(provider, { model: "big", effort: "high", maxOutputTokens: 7 }));
    const seen = readFileSync(join(folder, "env"), "utf8").split("\n");
    const expected = ["MINE_KEY=mine", "HARNESS_MODEL=big", "HARNESS_PROVIDER=mine", "HARNESS_THINKING=high"];
    for (const line of [...expected, "HARNESS_MAX_TOKENS=7", "HTTPS_PROXY=http://proxy"]) expect(seen).toContain(line);
    expect(seen.join("\n")).not.toContain("OTHER_KEY");
    expect(readFileSync(join(folder, "args"), "utf8")).toBe("--stream\n");
  });
});

describe("a provider program that fails", () => {
  it.each<[string, string, string, string]>([
    [
      "with words",
      "echo 'first'; echo 'the disk is full' >&2; exit 3",
      "badRequest",
      "ended with exit code 3. It says: the disk is full",
    ],
    ["without a message", "exit 1", "badRequest", "ended with exit code 1."],
    [
      "by a signal",
      "kill -9 $$",
      "badRequest",
      "was killed by SIGKILL (it was stopped by force, often because memory ran out).",
    ],
    ["silently", "cat > /dev/null", "badRequest", "wrote no reply."],
    ["with prose", "echo 'Hello there!'", "badRequest", 'wrote something other than a reply: "Hello there!".'],
    [
      "with the error of an API",
      `echo '{"error":{"message":"Rate limit reached"}}'; exit 1`,
      "rateLimit",
      "Rate limit reached",
    ],
    [
      "in the middle",
      `printf '%s\\n\\n' '${chat({ content: "Half" }).trim()}'`,
      "network",
      "broke before the reply was complete",
    ],
  ])("is reported: %s", async (_name, lines, kind, words) => {
    const failed = failedEvent(await talk(await connect(program(lines))));
    expect(failed.failure).toMatchObject({ kind, message: expect.stringContaining(words) });
  });

  it("does not reveal its key", async () => {
    const provider = await connect(program('echo "bad $MINE_KEY" >&2; exit 1', "protocol=openai", "MINE_KEY"), {
      MINE_KEY: "correct horse battery",
    });
    const { message } = failedEvent(await talk(provider)).failure;
    expect(message).toContain("bad …");
    expect(message).not.toContain("horse");
  });

  it("succeeds at the second attempt, when it requested one", async () => {
    const reply = chat({ content: "Now." }, "stop");
    const lines = `${printing(reply).replace("cat reply", "if [ -e tried ]; then cat reply; else touch tried; exit 75; fi")}`;
    const events = await talk(await connect(program(lines)));
    expect(events.filter((event) => event.type === "retry")).toHaveLength(1);
    expect(endEvent(events).parts).toEqual([{ type: "text", text: "Now." }]);
  });
});

describe("a provider program whose request is cancelled", () => {
  const endless = `
    printf '%s\\n\\n' '${chat({ content: "On" }).trim()}'
    trap '' TERM
    sh -c 'trap "" TERM; echo $$ > child; exec sleep 300' &
    until [ -s child ]; do :; done
    printf '%s\\n\\n' '${chat({ content: " and on" }).trim()}'
    wait`;

  it.runIf(process.platform === "linux")(
    "is ended with all processes that it started",
    async () => {
      const provider = await connect(program(endless));
      const aborter = new AbortController();
      const events = [];
      const request = { model: "m", system: "", messages: [], tools: [], priority: "turn" as const };
      for await (const event of provider.stream(request, aborter.signal)) {
        events.push(event);
        if (event.type === "text" && event.text.endsWith("and on")) aborter.abort();
      }
      expect(lastOf(events)).toMatchObject({ type: "end", stop: "cut", parts: [{ text: "On and on" }] });
      const child = Number(readFileSync(join(folder, "child"), "utf8"));
      await expect.poll(() => isAlive(child), { interval: 5, timeout: 8_000 }).toBe(false);
    },
    10_000,
  );

  it("is not started when the request was cancelled before", async () => {
    const provider = await connect(program("touch started"));
    expect(endEvent(await talk(provider, {}, AbortSignal.abort()))).toMatchObject({ stop: "cut", parts: [] });
    expect(existsSync(join(folder, "started"))).toBe(false);
  });
});
