import { afterAll, expect, it } from "vitest";
import { TestHome } from "../../packages/cli/test/harness-process.ts";

const place = new TestHome();
afterAll(() => place.remove());

it.each([
  ["SIGINT", 130],
  ["SIGTERM", 143],
  ["SIGHUP", 129],
] as const)("harness serve ends at %s with %i", async (signal, code) => {
  const harness = place.start(["serve", "--stdio"], { stdin: "pipe" });
  const params = { protocolVersion: 1, clientInfo: { name: "test", version: "1" }, clientCapabilities: {} };
  harness.child.stdin?.write(`${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params })}\n`);
  await harness.says("stdout", '"id":1');
  harness.child.kill(signal);
  expect((await harness.ended).code).toBe(code);
});
