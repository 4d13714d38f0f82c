import { describe, expect, it } from "vitest";
import { openClient } from "./client.ts";
import { type ServerExit, type ServerProcess, spawnServer } from "./spawn.ts";

/** A process that behaves like a server, with nothing of the product in it. */
function start(source: string, onStderr: (text: string) => void = () => undefined): ServerProcess {
  return spawnServer({ command: process.execPath, args: ["-e", source], env: process.env, cwd: "/", onStderr });
}

/** The messages and the ending of its channel. */
function listen({ channel }: ServerProcess): { messages: unknown[]; over: Promise<string>; first: Promise<void> } {
  const messages: unknown[] = [];
  const first = Promise.withResolvers<void>();
  const over = new Promise<string>((resolve) => {
    channel.start({
      message: (value) => {
        messages.push(value);
        first.resolve();
      },
      unreadable: (error) => messages.push(error.kind),
      ended: () => resolve("ended"),
      failed: (error) => resolve(`failed: ${error.message}`),
      lagged: () => undefined,
    });
  });
  return { messages, over, first: first.promise };
}

const nowhere = { command: "", args: [], env: process.env, cwd: "/", onStderr: () => undefined };
const echo = `process.stdin.on("data", (bytes) => process.stdout.write(bytes))`;
const deaf = `process.on("SIGTERM", () => undefined); setInterval(() => undefined, 1e6); console.log('{"ready":true}');`;

describe.concurrent("spawnServer", () => {
  it("speaks over the standard streams, and the server ends when its input does", async () => {
    const server = start(echo);
    const { messages, over, first } = listen(server);
    server.channel.send({ hello: "wörld" });
    await first;
    await server.channel.end();
    expect(await server.exited).toEqual({ code: 0, signal: null });
    expect(await over).toBe("ended");
    expect(messages).toEqual([{ hello: "wörld" }]);
    expect(server.pid).toBeGreaterThan(0);
  });

  it("reports a crash once, after its last output", async () => {
    const words: string[] = [];
    const dying = `process.stderr.write("x".repeat(200_000) + "the end", () => process.exit(1))`;
    const server = start(dying, (text) => words.push(text));
    const { over } = listen(server);
    expect(await server.exited).toEqual({ code: 1, signal: null });
    expect(words.join("").slice(200_000)).toBe("the end");
    expect(await over).toMatch(/^ended|^failed/);
    expect(await server.end(0)).toEqual({ code: 1, signal: null });
  });

  it("reports the signal that ended it", async () => {
    const server = start(echo);
    process.kill(server.pid ?? Number.NaN, "SIGKILL");
    expect(await server.exited).toEqual({ code: null, signal: "SIGKILL" });
  });

  it("does not wait for processes that a dead server left running with its pipes", async () => {
    const left = `require("child_process").spawn("sleep", ["30"], { stdio: "inherit" }).unref(); process.exit(3);`;
    const exit = new Promise<ServerExit>((resolve) => {
      const server = start(`process.stderr.write(String(process.pid)); ${left}`);
      void server.exited.then((code) => {
        // Kills the whole group, including the leftover.
        process.kill(-(server.pid ?? Number.NaN), "SIGKILL");
        resolve(code);
      });
    });
    expect(await exit).toEqual({ code: 3, signal: null });
  });

  it.each<[string, Parameters<typeof spawnServer>[0], RegExp]>([
    ["no such command", { ...nowhere, command: "/no/such/harness" }, /^\/no\/such\/harness did not start: .*ENOENT/],
    ["a folder as command", { ...nowhere, command: "/" }, /^\/ did not start: .*EACCES/],
    ["no such folder", { ...nowhere, command: process.execPath, cwd: "/no/such" }, /did not start: .*ENOENT/],
    ["a name that no system takes", { ...nowhere, command: "a\0b" }, /did not start: .*null bytes/],
  ])("answers with a problem: %s", async (_name, command, problem) => {
    const server = spawnServer(command);
    const client = openClient(server.channel, {
      clientInfo: { name: "test", version: "1" },
      onUpdate: () => undefined,
      onLost: () => expect.unreachable(),
      onBug: () => expect.unreachable(),
    });
    await expect(client).rejects.toMatchObject({ kind: "closed" });
    const exit = await server.exited;
    expect(exit).toMatchObject({ code: null, signal: null });
    expect(exit.problem).toMatch(problem);
    expect(await server.end(0)).toEqual(exit);
    expect(server.pid).toBeUndefined();
  });
});

describe.concurrent("end", () => {
  it("waits for a server that ends by itself", async () => {
    const server = start(`${echo}; process.stdin.on("end", () => process.exit(7))`);
    const { first } = listen(server);
    server.channel.send({ are: "you up" });
    await first;
    void server.channel.end();
    expect(await server.end(60_000)).toEqual({ code: 7, signal: null });
  });

  it("sends SIGTERM after the grace period", async () => {
    const server = start(`process.on("SIGTERM", () => process.exit(143)); ${deaf.replace(/^.*?;/, "")}`);
    await listen(server).first;
    expect(await server.end(0)).toEqual({ code: 143, signal: null });
  });

  it("kills a server that ignores SIGTERM", async () => {
    const server = start(deaf);
    await listen(server).first;
    expect(await server.end(0)).toEqual({ code: null, signal: "SIGKILL" });
  });
});
