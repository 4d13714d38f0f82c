import type { Client } from "@modelcontextprotocol/client";
import { expect, it } from "vitest";
import { readLists } from "./server-lists.ts";

const never = { signal: new AbortController().signal, timeout: 1_000 };
const whole = { notesOf: () => [] };
const many = <T>(make: (at: number) => T): T[] => Array.from({ length: 700 }, (_, at) => make(at));

function client(lists: { prompts?: unknown[]; resources?: unknown[]; templates?: unknown[] }): Client {
  return {
    getServerCapabilities: () => ({ prompts: {}, resources: {} }),
    listPrompts: async () => ({ prompts: lists.prompts ?? [] }),
    listResources: async () => ({ resources: lists.resources ?? [] }),
    listResourceTemplates: async () => ({ resourceTemplates: lists.templates ?? [] }),
  } as unknown as Client;
}

it("lists of prompts and resources are bounded as those of tools are, and say so", async () => {
  const read = await readLists(
    client({
      prompts: many((at) => ({ name: `p${at}` })),
      resources: many((at) => ({ uri: `x:${at}`, name: "n".repeat(1_000) })),
    }),
    whole,
    never,
  );
  expect([read.prompts.length, read.resources.length]).toEqual([500, 500]);
  expect(read.resources[0]?.name.length).toBe(128);
  expect(read.notes).toEqual([
    "Only the first 500 of its 700 prompts are used.",
    "Only the first 500 of its 700 resources are used.",
  ]);
});

it("prompts without a usable name and addresses that cannot be written are left out", async () => {
  const read = await readLists(
    client({
      prompts: [{ name: "" }, { name: "x".repeat(500) }, { name: "fine" }],
      resources: [
        { uri: "a:b\u001b[31m", name: "evil" },
        { uri: `a:${"b".repeat(5_000)}`, name: "long" },
        { uri: "a:b", name: "fine" },
      ],
      templates: [{ uriTemplate: "a:{b}\n", name: "evil" }],
    }),
    whole,
    never,
  );
  expect(read.prompts.map(({ name }) => name)).toEqual(["fine"]);
  expect(read.resources.map(({ uri }) => uri)).toEqual(["a:b"]);
  expect(read.templates).toEqual([]);
});
