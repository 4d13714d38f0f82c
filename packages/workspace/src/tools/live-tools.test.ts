import type { Tool } from "@harness/core";
import { memoryTools, probeTool } from "@harness/testkit";
import { expect, it } from "vitest";
import { liveTools } from "./live-tools.ts";

const probe = (name: string): Tool => probeTool(name, () => ({ status: "ok", text: name, blocks: [] }));
const alias = { name: "run_shell", tool: "bash", convert: (input: Record<string, unknown>) => input };
const moment = { turnStarts: true, signal: new AbortController().signal };

it("tools that are added come after those that are built in, and take their place where they have their name", () => {
  let added: readonly Tool[] = [];
  const builtin = { tools: memoryTools(), aliases: [alias] };
  const live = liveTools(builtin, [{ prepare: () => undefined, tools: () => added }], (tool) => ({ ...tool }));
  const before = live.current();
  expect(live.current()).toBe(before);
  expect(before.aliases).toEqual([alias]);
  const bash = probe("bash");
  added = [probe("weather"), bash];
  const now = live.current();
  expect(now.tools.map(({ name }) => name)).toEqual(["read", "write", "bash", "weather"]);
  expect(now.tools[2]?.description).toBe(bash.description);
  expect(now.tools.slice(0, 2)).toEqual(before.tools.slice(0, 2));
  expect(now.tools[0]).toBe(before.tools[0]);
  expect(now.aliases).toEqual([]);
  expect(live.current()).toBe(now);
  added = [];
  expect(live.current()).toMatchObject({ aliases: [alias] });
});

it("a request waits for all that adds tools, and for nothing where there is nothing to wait for", async () => {
  const ready: string[] = [];
  const adding = (name: string) => ({ prepare: async () => void ready.push(name), tools: () => [] });
  const none = { prepare: () => undefined, tools: () => [] };
  const builtin = { tools: [], aliases: [] };
  expect(liveTools(builtin, [none], (tool) => tool).prepare(moment)).toBe(undefined);
  await liveTools(builtin, [adding("one"), none, adding("two")], (tool) => tool).prepare(moment);
  expect(ready).toEqual(["one", "two"]);
});
