import { spawn } from "node:child_process";
import { once } from "node:events";
import { describe, expect, it } from "vitest";
import { readProcessVariables } from "./process-variables.ts";

async function withProcess<T>(env: Record<string, string>, look: (pid: number) => T): Promise<T> {
  const child = spawn(process.execPath, ["-e", "process.stdout.write('up'); process.stdin.resume()"], { env });
  try {
    await once(child.stdout, "data");
    return look(child.pid ?? 0);
  } finally {
    child.kill("SIGKILL");
    await once(child, "close");
  }
}

describe.skipIf(process.platform !== "linux")("variablesOf", () => {
  it.each<[string, Record<string, string>]>([
    ["alone", { WANTED: "1" }],
    ["between others", { BEFORE: "x", WANTED: "1", AFTER: "y" }],
    ["behind a name and a value that end like it", { NOT_WANTED: "2", OTHER: "WANTED=3", WANTED: "1" }],
    ["behind a large environment", { LARGE: "x".repeat(100_000), MORE: "y".repeat(100_000), WANTED: "1" }],
  ])("finds a variable %s", async (_name, env) => {
    expect(await withProcess(env, (pid) => [...readProcessVariables(pid, ["WANTED"])])).toEqual([["WANTED", "1"]]);
  });

  it("takes only those that are asked for, and that there are", async () => {
    const env = { A: "", B: "of b", SECRET: "s" };
    expect(await withProcess(env, (pid) => [...readProcessVariables(pid, ["A", "B", "C"])])).toEqual([
      ["A", ""],
      ["B", "of b"],
    ]);
  });

  it("keeps nothing else in memory", async () => {
    const before = Buffer.alloc;
    const given: Buffer[] = [];
    Buffer.alloc = ((size: number) => {
      const bytes = before(size);
      given.push(bytes);
      return bytes;
    }) as typeof Buffer.alloc;
    try {
      await withProcess({ WANTED: "1", SECRET: "of another program" }, (pid) => readProcessVariables(pid, ["WANTED"]));
    } finally {
      Buffer.alloc = before;
    }
    expect(given.length).toBeGreaterThan(0);
    expect(given.some((bytes) => bytes.includes("of another program"))).toBe(false);
  });

  it("throws where there is no such process", () => {
    expect(() => readProcessVariables(2 ** 22 + 1, ["A"])).toThrow();
  });
});
