import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const start = fileURLToPath(new URL("start.ts", import.meta.url));
const hello = fileURLToPath(new URL("scenarios/hello.json", import.meta.url));

async function finished(...args: string[]): Promise<{ code: number; errors: string }> {
  const child = spawn(process.execPath, [start, ...args]);
  let errors = "";
  child.stderr.on("data", (chunk) => {
    errors += chunk;
  });
  const [code] = await once(child, "close");
  return { code, errors };
}

describe("npm run model", () => {
  it("prints what to set, answers, logs each request and ends on Ctrl+C", async () => {
    const child = spawn(process.execPath, [start, hello, "--flavour", "ollama"]);
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    const next = async (): Promise<string> => (await lines.next()).value ?? "";
    expect(await next()).toMatch(/^Scripted model \(ollama\) at http:\/\/127\.0\.0\.1:\d+, playing .*hello\.json/);
    const url = /OLLAMA_HOST=(\S+) bin\/harness$/.exec(await next())?.[1] ?? "";
    const body = JSON.stringify({ model: "m", messages: [{ role: "user", content: "hi" }] });
    const answer = await (await fetch(`${url}/api/chat`, { method: "POST", body })).text();
    expect(answer.trim().split("\n").length).toBeGreaterThan(20);
    expect(await next()).toMatch(/^#1 POST \/api\/chat 200, default turn 1, \d+ bytes in \d+ ms$/);
    child.kill("SIGINT");
    expect(await once(child, "close")).toEqual([0, null]);
  });

  it("says what is wrong with its arguments or with the scenario", async () => {
    expect(await finished()).toMatchObject({ code: 2, errors: expect.stringContaining("Name one scenario file.") });
    expect(await finished("/no/such.json")).toMatchObject({
      code: 2,
      errors: expect.stringContaining("/no/such.json"),
    });
    expect(await finished(hello, "--flavour", "gpt")).toMatchObject({
      code: 2,
      errors: expect.stringContaining('"gpt"'),
    });
    const manifest = fileURLToPath(new URL("../../package.json", import.meta.url));
    expect(await finished(manifest)).toMatchObject({
      code: 1,
      errors: expect.stringContaining("not a valid scenario"),
    });
  });
});
