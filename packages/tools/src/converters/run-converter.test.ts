import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isAlive, sample } from "@harness/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Conversion, runConverter } from "./run-converter.ts";

const POLL = { interval: 5, timeout: 60_000 };

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "harness converters "));
});
afterAll(() => rmSync(folder, { recursive: true }));

let count = 0;
/** The answer of a converter with this code. */
function convert(code: string, order: Partial<Conversion> = {}): Promise<unknown> {
  const name = `converter-${++count}`;
  writeFileSync(join(folder, `${name}.ts`), code);
  const signal = new AbortController().signal;
  return runConverter({ folder, name, data: "page", maxMs: 20_000, maxMemoryMb: 48, signal, ...order });
}

const once = join(import.meta.dirname, "convert-once.ts");
const honest = (body: string) =>
  `import { convertOnce } from ${JSON.stringify(once)};\nconvertOnce((ask) => { ${body} });`;

describe("a converter", () => {
  it("answers with what it makes of its data, bytes included", async () => {
    const data = { bytes: Buffer.from("abc"), words: ["x"] };
    const answer = await convert(honest("return { bytes: new Uint8Array(ask.bytes).reverse(), words: ask.words };"), {
      data,
    });
    expect(answer).toEqual({ bytes: new Uint8Array([99, 98, 97]), words: ["x"] });
  });

  it("has none of our variables, and nothing of ours to read", async () => {
    process.env.HARNESS_PROBE = "secret";
    try {
      const seen = await convert(
        honest("return Object.keys(process.env).filter((name) => /PROBE|KEY|HOME/.test(name));"),
      );
      expect(seen).toEqual([]);
    } finally {
      delete process.env.HARNESS_PROBE;
    }
  });

  it.each(
    sample(
      [
        ["throws", honest('throw new Error("boom")')],
        ["throws nothing", honest("throw null")],
        ["throws later", honest('setTimeout(() => { throw new Error("late") }); return new Promise(() => {})')],
        ["rejects", honest('Promise.reject(new Error("no")); for (;;) { if (process.uptime() > 0.5) break; } throw 1')],
        ["throws before it listens", 'throw new Error("boom")'],
        ["cannot be compiled", "this is not code"],
        ["needs what is not there", 'import "nothing-of-this-name"'],
        ["exits", honest("process.exit(0)")],
        ["aborts", honest("process.abort()")],
        ["is killed", honest('process.kill(process.pid, "SIGKILL"); for (;;);')],
        ["answers with what cannot be sent", honest("return () => 1")],
        ["answers with another thing", "process.send(null); process.once('message', () => {})"],
        ["recurses without end", honest("const deep = () => 1 + deep(); return deep();")],
        ["fills the heap with objects", honest('const all = []; for (let i = 0; ; i++) all.push({ i, s: "x" + i });')],
        ["fills the heap with arrays", honest("const all = []; for (;;) all.push(new Array(10000).fill({}));")],
        ["fills the heap with a table", honest("const all = new Map(); for (let i = 0; ; i++) all.set(i, i + 0.5);")],
        ["makes one endless string", honest('let text = "abc"; for (;;) text = [text, text].join("");')],
      ],
      6,
    ),
  )("that %s answers nothing, and nothing happens to this process", async (_what, code) => {
    expect(await convert(code)).toBeUndefined();
  });

  it("that is missing answers nothing", async () => {
    const signal = new AbortController().signal;
    const order = { folder, name: "missing", data: 1, maxMs: 20_000, maxMemoryMb: 48, signal };
    expect(await runConverter(order)).toBeUndefined();
  });

  it.each(["time is over", "work is cancelled"])("is killed when its %s", async (why) => {
    const file = join(folder, "pid");
    const stops = new AbortController();
    const code = `require("node:fs").writeFileSync(${JSON.stringify(file)}, String(process.pid)); Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);`;
    const endless = honest(code.replace("require(", "process.getBuiltinModule("));
    const limits = why === "time is over" ? { maxMs: 2_000 } : { signal: stops.signal };
    const answer = convert(endless, limits);
    await expect.poll(() => existsSync(file) && readFileSync(file, "utf8"), POLL).toBeTruthy();
    const pid = Number(readFileSync(file, "utf8"));
    stops.abort();
    expect(await answer).toBeUndefined();
    await expect.poll(() => isAlive(pid), POLL).toBe(false);
    rmSync(file);
  });
});
