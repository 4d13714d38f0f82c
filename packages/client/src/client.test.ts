import { type CallParams, protocolError, type ServerMethods, type SessionUpdate } from "@harness/protocol";
import type { ConnectionEnd } from "@harness/protocol/wire";
import { afterEach, describe, expect, it, vi } from "vitest";
import { fakeServer, hello } from "../test/fake-server.ts";
import { type ClientOptions, type HarnessClient, openClient } from "./client.ts";

type Initialize = CallParams<ServerMethods, "initialize">;

const permission = {
  permissionId: "p1",
  agentId: "main",
  toolCallId: "c1",
  tool: "bash",
  title: "ls",
  reason: "why",
  risk: "safe" as const,
  effects: [],
  preview: [],
  options: [],
};

const clients: HarnessClient[] = [];
afterEach(() => {
  for (const client of clients.splice(0)) client.destroy();
});

async function open(
  server: ReturnType<typeof fakeServer>,
  options: Partial<ClientOptions> = {},
): Promise<{
  client: HarnessClient;
  onLost: ReturnType<typeof vi.fn<(end: ConnectionEnd) => void>>;
  initialize: Initialize;
}> {
  const onLost = vi.fn<(end: ConnectionEnd) => void>();
  const client = await openClient(server.channel, {
    clientInfo: { name: "test", version: "1" },
    onUpdate: () => undefined,
    onLost,
    onBug: (error) => expect.unreachable(String(error)),
    ...options,
  });
  clients.push(client);
  return { client, onLost, initialize: server.seen[0]?.params as Initialize };
}

const chunk = (offset: number): SessionUpdate => ({
  sessionId: "s",
  agentId: "main",
  update: { sessionUpdate: "agent_message_chunk", messageId: "m", offset, text: "x" },
});

describe("openClient", () => {
  it("initializes with its capabilities and gets those of the server", async () => {
    const server = fakeServer();
    const { client, initialize } = await open(server);
    expect(client.server).toEqual(hello);
    expect(initialize).toEqual({
      protocolVersions: ["1"],
      clientInfo: { name: "test", version: "1" },
      role: "controller",
      capabilities: {},
    });
  });

  it("offers capabilities that it has a listener for", async () => {
    const { initialize } = await open(fakeServer(), {
      role: "observer",
      onPermission: async () => ({ outcome: "cancelled" }),
      onQuestion: async () => ({ action: "decline" }),
      optOut: ["tool_input_chunk"],
    });
    expect(initialize).toMatchObject({
      role: "observer",
      capabilities: { permission: {}, elicitation: {}, updates: { optOut: ["tool_input_chunk"] } },
    });
  });

  it("rejects when they cannot agree, and closes the connection", async () => {
    const server = fakeServer({
      initialize: () => {
        throw protocolError("unsupported_protocol_version", "This server speaks 9.", { supported: ["9"] });
      },
    });
    const onLost = vi.fn();
    await expect(open(server, { onLost })).rejects.toMatchObject({
      kind: "unsupported_protocol_version",
      message: "This server speaks 9.",
    });
    await server.ended;
    expect(onLost).not.toHaveBeenCalled();
  });

  it("rejects when the server is gone before it answered", async () => {
    const onLost = vi.fn();
    const server = fakeServer({
      initialize: () => {
        server.connection.destroy();
        return hello;
      },
    });
    await expect(open(server, { onLost })).rejects.toMatchObject({ kind: "closed" });
    expect(onLost).not.toHaveBeenCalled();
  });
});

describe("an open client", () => {
  it("delivers updates in order, synchronously, and before the answer that follows them", async () => {
    const offsets: unknown[] = [];
    const server = fakeServer({
      "session/detach": () => {
        for (let n = 0; n < 100; n += 1) server.connection.notify("session/update", chunk(n));
        return {};
      },
    });
    const { client } = await open(server, {
      onUpdate: ({ update }) => offsets.push("offset" in update ? update.offset : update),
    });
    await client.call("session/detach", { sessionId: "s" });
    expect(offsets).toEqual(Array.from({ length: 100 }, (_, n) => n));
  });

  it("continues after a listener that throws, and reports it", async () => {
    const bugs: string[] = [];
    const seen: number[] = [];
    const server = fakeServer({ "session/detach": () => ({}) });
    const { client } = await open(server, {
      onUpdate: () => {
        seen.push(seen.length);
        if (seen.length === 1) throw new Error("my bug");
      },
      onBug: (error, where) => bugs.push(`${where}: ${String(error)}`),
    });
    server.connection.notify("session/update", chunk(0));
    server.connection.notify("session/update", chunk(1));
    await client.call("session/detach", { sessionId: "s" });
    expect(seen).toEqual([0, 1]);
    expect(bugs).toEqual([expect.stringMatching(/^session\/update \(error id \w+\): Error: my bug$/)]);
  });

  it("calls the listeners of notices by name", async () => {
    const told: unknown[] = [];
    const server = fakeServer({ "session/detach": () => ({}) });
    const { client } = await open(server, {
      notices: {
        "sessions/changed": (params) => told.push(["sessions/changed", params]),
        "server/lagged": (params) => told.push(["server/lagged", params]),
        "settings/changed": (params) => told.push(["settings/changed", params]),
      },
    });
    server.connection.notify("sessions/changed", {});
    server.connection.notify("server/lagged", { droppedChunks: 3 });
    server.connection.notify("settings/changed", { version: "v" });
    await client.call("session/detach", { sessionId: "s" });
    expect(told).toEqual([
      ["sessions/changed", {}],
      ["server/lagged", { droppedChunks: 3 }],
      ["settings/changed", { version: "v" }],
    ]);
  });

  it("answers permissions and questions through its listeners, and withdrawn ones reach them as a signal", async () => {
    const withdrawn = Promise.withResolvers<void>();
    const asked = Promise.withResolvers<void>();
    const server = fakeServer();
    await open(server, {
      onPermission: async ({ permission: { title } }, signal) => {
        if (title !== "wait") return { outcome: "selected", optionId: `allow ${title}` };
        signal.addEventListener("abort", () => withdrawn.resolve());
        asked.resolve();
        await withdrawn.promise;
        return { outcome: "cancelled" };
      },
      onQuestion: async ({ message }) => ({ action: "accept", text: `${message}!` }),
    });
    const { call } = server.connection;
    expect(await call("session/request_permission", { sessionId: "s", permission })).toEqual({
      outcome: "selected",
      optionId: "allow ls",
    });
    const question = {
      sessionId: "s",
      elicitationId: "e",
      agentId: "main",
      message: "Why",
      options: [],
      freeText: true,
    };
    expect(await call("elicitation/create", question)).toEqual({ action: "accept", text: "Why!" });
    const abort = new AbortController();
    const waiting = call(
      "session/request_permission",
      { sessionId: "s", permission: { ...permission, title: "wait" } },
      { signal: abort.signal },
    );
    await asked.promise;
    abort.abort();
    await withdrawn.promise;
    expect(await waiting).toEqual({ outcome: "cancelled" });
  });

  it("declines requests without a listener", async () => {
    const server = fakeServer();
    await open(server);
    const { call } = server.connection;
    expect(await call("session/request_permission", { sessionId: "s", permission })).toEqual({ outcome: "cancelled" });
    const question = { sessionId: "s", elicitationId: "e", agentId: "main", message: "?", options: [], freeText: true };
    expect(await call("elicitation/create", question)).toEqual({ action: "decline" });
  });

  it("rejects with the error of the server", async () => {
    const { client } = await open(fakeServer());
    await expect(client.call("server/status", {})).rejects.toMatchObject({ kind: "method_not_found" });
  });
});

describe("the end of a client", () => {
  it("comes once when the server is lost, and rejects pending calls", async () => {
    const server = fakeServer({ "session/compact": () => new Promise(() => undefined) });
    const lost = Promise.withResolvers<ConnectionEnd>();
    const onLost = vi.fn(lost.resolve);
    const { client } = await open(server, { onLost });
    const waiting = client.call("session/compact", { sessionId: "s" });
    server.connection.destroy();
    expect(await lost.promise).toMatchObject({ reason: "ended" });
    await expect(waiting).rejects.toMatchObject({ kind: "closed" });
    await expect(client.call("server/status", {})).rejects.toMatchObject({ kind: "closed" });
    await client.close();
    client.destroy();
    expect(onLost).toHaveBeenCalledTimes(1);
  });

  it("by close lets the server store everything first", async () => {
    const server = fakeServer();
    const { client, onLost } = await open(server);
    await client.close();
    await server.ended;
    expect(server.seen.map(({ method }) => method)).toEqual(["initialize", "shutdown"]);
    expect(onLost).not.toHaveBeenCalled();
  });

  it("by destroy is at once", async () => {
    const server = fakeServer();
    const { client, onLost } = await open(server);
    client.destroy();
    await server.ended;
    expect(server.seen.map(({ method }) => method)).toEqual(["initialize"]);
    expect(onLost).not.toHaveBeenCalled();
  });
});
