// Traces for an OpenTelemetry collector: real runs, a collector on this machine.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { type ModelServer, startModelServer, turns } from "@harness/testkit";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { TestHome } from "../../packages/cli/test/harness-process.ts";
import { choose, LiveServer, say } from "../support/live-server.ts";

const TRACE = "0af7651916cd43dd8448eb211c80319c";
const PARENT = "b7ad6b7169203331";
const SECRET = "a word that nobody may see";

type Value = { stringValue?: string; intValue?: string; arrayValue?: unknown };
type Span = {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes: { key: string; value: Value }[];
  status: { code?: number };
};
type Body = { resourceSpans: [{ resource: { attributes: Span["attributes"] }; scopeSpans: [{ spans: Span[] }] }] };

let model: ModelServer;
let place: TestHome;
let collector: Server;
let endpoint: string;
let received: { path: string | undefined; headers: IncomingHttpHeaders; body: string }[];
/** Undefined: it never answers. */
let status: number | undefined;

beforeAll(async () => {
  const child = [turns.say("Looked.", { repeat: "always" })];
  model = await startModelServer({
    scenario: {
      lanes: [
        { match: "the child looks", turns: child },
        {
          match: "Go on, number",
          perConversation: true,
          turns: [turns.call("bash", { command: `echo "$TRACEPARENT" > seen; echo ${SECRET}` }), turns.say("Done.")],
        },

        {
          match: "with a child",
          perConversation: true,
          turns: [turns.call("start_subagent", { task: "the child looks" }), turns.say("Both.", { repeat: "always" })],
        },
        { match: "a wrong key", turns: [turns.fail({ kind: "status", status: 401, times: "always" })] },
      ],
      turns: [],
    },
  });
  collector = createServer((request, response) => {
    void text(request).then((body) => {
      received.push({ path: request.url, headers: request.headers, body });
      if (status !== undefined) response.writeHead(status).end("{}");
    });
  });
  await new Promise<void>((done) => collector.listen(0, "127.0.0.1", done));
  endpoint = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`;
});
beforeEach(() => {
  received = [];
  status = 200;
  place = new TestHome(model.environment);
});
afterEach(() => place.remove());
afterAll(async () => {
  collector.closeAllConnections();
  collector.close();
  await model.close();
});

let messages = 0;
/** Each begins a conversation of its own. */
const goOn = () => `Go on, number ${++messages}.`;
const spans = () => received.flatMap(({ body }) => (JSON.parse(body) as Body).resourceSpans[0].scopeSpans[0].spans);
const attributesOf = ({ attributes }: Pick<Span, "attributes">) =>
  Object.fromEntries(
    attributes.map(({ key, value }) => [key, value.stringValue ?? value.intValue ?? value.arrayValue]),
  );
const named = (start: string) => spans().filter(({ name }) => name.startsWith(start));

describe("a run with OTEL_EXPORTER_OTLP_ENDPOINT", () => {
  it("sends its turn, requests and calls in the trace that it was started in, and hands the trace to commands", async () => {
    const env = {
      OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
      OTEL_EXPORTER_OTLP_HEADERS: "authorization=Bearer%20abc, x-team=tools",
      OTEL_RESOURCE_ATTRIBUTES: "deployment.environment.name=ci",
      TRACEPARENT: `00-${TRACE}-${PARENT}-01`,
    };
    const run = ["run", "--permission-mode", "allow-all", `${goOn()} ${SECRET}`];
    expect(await place.run(run, { env })).toMatchObject({ code: 0, stdout: "Done.\n" });
    expect(received.map(({ path }) => path)).toEqual(["/v1/traces"]);
    expect(received[0]?.headers).toMatchObject({ authorization: "Bearer abc", "x-team": "tools" });
    const [turn] = named("invoke_agent");
    const [call] = named("execute_tool");
    const chats = named("chat");
    expect([turn?.name, call?.name, chats.map(({ name }) => name)]).toEqual([
      "invoke_agent harness",
      "execute_tool bash",
      ["chat scripted-model", "chat scripted-model"],
    ]);
    expect(spans().map(({ traceId }) => traceId)).toEqual(Array(4).fill(TRACE));
    expect(turn?.parentSpanId).toBe(PARENT);
    expect([call, ...chats].map((each) => each?.parentSpanId)).toEqual(Array(3).fill(turn?.spanId));
    expect(attributesOf(call ?? { attributes: [] })).toMatchObject({
      "gen_ai.operation.name": "execute_tool",
      "gen_ai.tool.name": "bash",
    });
    expect(attributesOf(chats[0] ?? { attributes: [] })).toMatchObject({
      "gen_ai.operation.name": "chat",
      "gen_ai.request.model": "scripted-model",
      "gen_ai.usage.input_tokens": expect.stringMatching(/^\d+$/),
    });
    for (const { startTimeUnixNano: from, endTimeUnixNano: to } of spans())
      expect(BigInt(to) >= BigInt(from)).toBe(true);
    expect(readFileSync(join(place.cwd, "seen"), "utf8")).toBe(`00-${TRACE}-${call?.spanId}-01\n`);
    const resource = (JSON.parse(received[0]?.body ?? "") as Body).resourceSpans[0].resource;
    expect(attributesOf(resource)).toMatchObject({ "service.name": "harness", "deployment.environment.name": "ci" });
    expect(received[0]?.body).not.toContain(SECRET);
    expect(received[0]?.body).not.toContain(place.root);
  });

  it("puts a subagent below the call that started it", async () => {
    const env = { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint };
    expect(await place.run(["run", "--permission-mode", "allow-all", "with a child"], { env })).toMatchObject({
      code: 0,
    });
    const [call] = named("execute_tool start_subagent");
    const [child] = named("invoke_agent subagent");
    expect(child?.parentSpanId).toBe(call?.spanId);
    expect(new Set(spans().map(({ traceId }) => traceId)).size).toBe(1);
  });

  it("marks what failed, without its text", async () => {
    const env = { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint };
    expect((await place.run(["run", "a wrong key"], { env })).code).toBe(3);
    const [turn] = named("invoke_agent");
    expect(turn?.status).toEqual({ code: 2 });
    expect(attributesOf(turn ?? { attributes: [] })).toMatchObject({ "error.type": "auth" });
  });

  it.each<[string, number | undefined]>([
    ["refuses", 500],
    ["never answers", undefined],
  ])("ends as always where the collector %s", async (_name, answer) => {
    status = answer;
    const env = { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint };
    const ended = await place.run(["run", "--permission-mode", "allow-all", goOn()], { env });
    expect(ended).toMatchObject({ code: 0, stdout: "Done.\n" });
    expect(ended.stderr).not.toContain("collector");
  });
});

describe("a message of a client", () => {
  it("belongs to the trace that the client names", async () => {
    const call = turns.call("bash", { command: 'echo "$TRACEPARENT" > seen' });
    const live = await LiveServer.start({ turns: [call, turns.say("Done.")] });
    try {
      mkdirSync(live.cwd);
      const { client } = await live.connect(choose("allow_once"), { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint });
      const { sessionId } = (await client.call("session/new", { cwd: live.cwd })).session;
      const traceparent = `00-${TRACE}-${PARENT}-01`;
      await client.call("session/prompt", { sessionId, promptId: "p1", prompt: say("Go on."), traceparent });
      await live.idle();
      expect(readFileSync(join(live.cwd, "seen"), "utf8")).toContain(`00-${TRACE}-`);
      await client.close();
      expect(named("invoke_agent")).toMatchObject([{ traceId: TRACE, parentSpanId: PARENT }]);
    } finally {
      await live.close();
    }
  });
});

describe("requests beside a conversation", () => {
  it("have spans of their own with their purpose, below the turn that they belong to", async () => {
    const live = await LiveServer.start({
      lanes: [
        { match: { system: "You name conversations" }, turns: [turns.say("A fine name")] },
        { match: { system: "You summarise a coding agent" }, turns: [turns.say("A summary.")] },
      ],
      turns: [
        turns.say('{"met":true,"why":"it is"}', { when: { lastUser: "A check by harness" } }),
        turns.say("ok", { repeat: "always" }),
      ],
    });
    try {
      mkdirSync(live.cwd);
      mkdirSync(live.home);
      writeFileSync(join(live.home, "settings.json"), JSON.stringify({ title_model: "openai/scripted" }));
      const { client } = await live.connect(undefined, { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint });
      const { sessionId } = (await client.call("session/new", { cwd: live.cwd })).session;
      for (let n = 1; n <= 7; n += 1) {
        const { seq } = await client.call("session/get", { sessionId });
        await client.call("session/prompt", { sessionId, promptId: `p${n}`, prompt: say(`message ${n}`) });
        await live.idle(seq);
      }
      await client.call("command/run", { sessionId, name: "goal", args: `be done, ${SECRET}` });
      await live.until(
        ({ update }) => update.sessionUpdate === "goal_update" && "state" in update && update.state === "met",
      );
      await client.call("command/run", { sessionId, name: "compact", args: "" });
      await live.until(({ update }) => "origin" in update && JSON.stringify(update.origin).includes('"by":"model"'));
      await client.call("session/close", { sessionId });
      await client.close();
    } finally {
      await live.close();
    }
    const beside = spans().map((span) => ({ ...span, ...attributesOf(span) }) as Span & Record<string, unknown>);
    const byPurpose = (purpose: string) => beside.filter((span) => span["harness.request.purpose"] === purpose);
    const parents = new Set(named("invoke_agent").map(({ spanId }) => spanId));
    for (const purpose of ["title", "goal", "compaction"]) {
      const [span, ...others] = byPurpose(purpose);
      expect(others).toEqual([]);
      expect(span).toMatchObject({
        ...{ name: "chat scripted", kind: 3, "gen_ai.operation.name": "chat", "gen_ai.provider.name": "openai" },
        "gen_ai.usage.input_tokens": expect.stringMatching(/^\d+$/),
      });
      expect(parents).toContain(span?.parentSpanId);
    }
    expect(received.map(({ body }) => body).join("")).not.toContain(SECRET);
  });
});

describe("no trace is sent", () => {
  it.each<[string, Record<string, string>]>([
    ["without a variable", {}],
    ["if the SDK is disabled", { OTEL_EXPORTER_OTLP_ENDPOINT: "ENDPOINT", OTEL_SDK_DISABLED: "true" }],
    ["if there is no exporter", { OTEL_EXPORTER_OTLP_ENDPOINT: "ENDPOINT", OTEL_TRACES_EXPORTER: "none" }],
    [
      "in a trace that is not sampled",
      { OTEL_EXPORTER_OTLP_ENDPOINT: "ENDPOINT", TRACEPARENT: `00-${TRACE}-${PARENT}-00` },
    ],
  ])("%s", async (_name, variables) => {
    const env = Object.fromEntries(
      Object.entries(variables).map(([key, value]) => [key, value.replace("ENDPOINT", endpoint)]),
    );
    expect(await place.run(["run", "--permission-mode", "allow-all", goOn()], { env })).toMatchObject({ code: 0 });
    expect(received).toEqual([]);
  });

  it("by a project's own files", async () => {
    mkdirSync(join(place.cwd, ".harness"), { recursive: true });
    writeFileSync(join(place.cwd, ".env"), `OTEL_EXPORTER_OTLP_ENDPOINT=${endpoint}\n`);
    writeFileSync(join(place.cwd, ".harness/.env"), `OTEL_EXPORTER_OTLP_ENDPOINT=${endpoint}\n`);
    expect(await place.run(["run", "--trust", "--permission-mode", "allow-all", goOn()])).toMatchObject({ code: 0 });
    expect(received).toEqual([]);
  });

  it("beyond the own network in local-only mode", async () => {
    const env = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://203.0.113.7:4318" };
    const run = ["run", "--local-only", "--permission-mode", "allow-all", goOn()];
    expect(await place.run(run, { env })).toMatchObject({ code: 0, stdout: "Done.\n" });
    const log = readFileSync(join(place.home, "logs/harness.log"), "utf8");
    expect(log).toMatch(/tracing.*203\.0\.113\.7.*local_only/);
  });

  it("with a protocol that harness does not speak, and the person learns why", async () => {
    const env = { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_EXPORTER_OTLP_PROTOCOL: "grpc" };
    const ended = await place.run(["run", "--permission-mode", "allow-all", goOn()], { env });
    expect(ended.code).toBe(0);
    expect(ended.stderr).toContain("Traces are not sent. The protocol in OTEL_EXPORTER_OTLP_PROTOCOL is grpc.");
    expect(received).toEqual([]);
  });
});
