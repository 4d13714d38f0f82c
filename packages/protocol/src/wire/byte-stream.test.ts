import { spawn } from "node:child_process";
import { once } from "node:events";
import { PassThrough, Writable } from "node:stream";
import { describe, expect, it } from "vitest";
import { byteStream } from "./byte-stream.ts";
import { lineChannel } from "./line-channel.ts";

/** A writable whose writes wait until it is opened. */
class SlowWritable extends Writable {
  readonly chunks: string[] = [];
  #isOpen = false;
  #waiting: (() => void) | undefined;

  constructor() {
    super({ highWaterMark: 1, decodeStrings: false });
  }

  override _write(chunk: string, _encoding: string, done: () => void): void {
    this.chunks.push(chunk);
    if (this.#isOpen) done();
    else this.#waiting = done;
  }

  open(): void {
    this.#isOpen = true;
    this.#waiting?.();
  }
}

function listen(readable = new PassThrough(), writable: Writable = new PassThrough()) {
  const heard: string[] = [];
  const stream = byteStream({ readable, writable });
  stream.start({
    data: (bytes) => heard.push(Buffer.from(bytes).toString()),
    end: () => heard.push("end"),
    error: (error) => heard.push(`error: ${error.message}`),
  });
  return { readable, writable, stream, heard };
}

describe("byteStream", () => {
  it("carries bytes and the end, once", async () => {
    const { readable, heard } = listen();
    readable.write("a");
    readable.end("b");
    await once(readable, "close");
    expect(heard).toEqual(["a", "b", "end"]);
  });

  it("signals a slow peer with one promise and one listener, however many writes wait", async () => {
    const writable = new SlowWritable();
    const { stream } = listen(undefined, writable);
    const first = stream.write("1");
    const listeners = writable.listenerCount("drain");
    for (let i = 0; i < 1000; i++) expect(stream.write("2")).toBe(first);
    expect(writable.listenerCount("drain")).toBe(listeners);
    writable.open();
    await first;
    expect(writable.chunks).toHaveLength(1001);
  });

  it("reports a broken stream once, and then writes and ends without an error", async () => {
    const { writable, stream, heard } = listen();
    const closed = new Promise((resolve) => writable.on("close", resolve));
    writable.destroy(new Error("write EPIPE"));
    await closed;
    expect(stream.write("x")).toBeUndefined();
    await stream.end();
    expect(heard).toEqual(["error: write EPIPE"]);
  });

  it("treats a reading side that breaks off as an end", async () => {
    const { readable, heard } = listen();
    readable.destroy();
    await once(readable, "close");
    expect(heard).toEqual(["end"]);
  });

  it("treats a closed writing side as broken only when something is written to it", async () => {
    const { writable, stream, heard } = listen();
    const closed = new Promise((resolve) => writable.on("close", resolve));
    writable.destroy();
    await closed;
    expect(heard).toEqual([]);
    await stream.end();
    expect(stream.write("x")).toBeUndefined();
    expect(heard).toEqual(["error: The other side has closed its end of the connection."]);
  });

  it("resolves a wait for a slow peer that closes its end", async () => {
    const writable = new SlowWritable();
    const { stream, heard } = listen(undefined, writable);
    expect(stream.write("1")).toBeInstanceOf(Promise);
    const ended = stream.end();
    writable.destroy();
    await ended;
    expect(heard).toEqual(["error: The other side has closed its end of the connection."]);
  });
});

/** A child that runs the script, as a channel; `over` resolves with how the channel ended. */
function talkTo(script: string) {
  const child = spawn(process.execPath, ["-e", script], { stdio: ["pipe", "pipe", "ignore"] });
  const channel = lineChannel(byteStream({ readable: child.stdout, writable: child.stdin }));
  const heard: unknown[] = [];
  const first = Promise.withResolvers<void>();
  const over = Promise.withResolvers<string>();
  channel.start({
    message: (value) => {
      heard.push(value);
      first.resolve();
    },
    unreadable: (error) => heard.push(error),
    ended: () => over.resolve("ended"),
    failed: () => over.resolve("failed"),
    lagged: () => undefined,
  });
  return { child, channel, heard, first: first.promise, over: over.promise };
}

describe("byteStream over a process", () => {
  it("carries text both ways, and reports its death", async () => {
    const { child, channel, heard, first, over } = talkTo("process.stdin.pipe(process.stdout)");
    channel.send({ text: "grüße 😀" });
    await first;
    expect(heard).toEqual([{ text: "grüße 😀" }]);
    child.kill("SIGKILL");
    expect(await over).toBe("ended");
  });

  it("reads all that a process wrote before it exited", async () => {
    const { heard, over } = talkTo(
      `process.stdout.write(JSON.stringify({ text: "x".repeat(90) }).concat("\\n").repeat(20000))`,
    );
    expect(await over).toBe("ended");
    expect(heard).toHaveLength(20_000);
  });
});
