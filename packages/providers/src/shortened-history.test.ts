import type { ModelRequest } from "@harness/core";
import {
  call,
  calling,
  endEvent,
  MemorySession,
  memoryTools,
  probeTool,
  type Script,
  type MemorySession as Session,
  saying,
  startModelServer,
  talk,
  turns,
} from "@harness/testkit";
import { describe, expect, it } from "vitest";
import { realClock } from "../test/clocks.ts";
import { createProvider } from "../test/create-provider.ts";
import { vendorOf } from "../test/vendor-of.ts";
import type { Vendor } from "./wires/endpoint/vendor.ts";

// Conversations whose old results were shortened, sent over each wire API to a server that refuses what its vendor would.

type Row = { api: string; flavour: "openai" | "anthropic" | "ollama"; vendor: Vendor };

function known(id: Row["flavour"]): Vendor {
  const vendor = vendorOf(id);
  if (!vendor) throw new Error(id);
  return vendor;
}
const { apiElsewhere: _, ...responses } = known("openai");
const rows: readonly Row[] = [
  { api: "chat completions", flavour: "openai", vendor: known("openai") },
  { api: "responses", flavour: "openai", vendor: responses },
  { api: "messages", flavour: "anthropic", vendor: known("anthropic") },
  { api: "Ollama", flavour: "ollama", vendor: known("ollama") },
];

const PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const lines = (name: string, count: number) => Array.from({ length: count }, (_, n) => `${name} ${n} 🙂`).join("\n");

/** A session of random calls: reads, writes, pictures, outputs of all lengths, several in a reply. */
async function session(seed: number): Promise<Session> {
  let state = seed;
  const next = (of: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return Math.floor((state / 2 ** 31) * of);
  };
  const files = new Map(["a", "b", "c"].map((name) => [`/work/${name}`, lines(name, 40 + next(200))]));
  const picture = probeTool("picture", () => ({
    status: "ok",
    text: "a picture",
    blocks: [],
    images: [{ type: "image", mimeType: "image/png", data: PNG }],
  }));
  const output = probeTool("output", ({ n }) => ({
    status: n === 3 ? "error" : "ok",
    text: lines(`o${n}`, next(400)),
    blocks: [],
  }));
  const one = (id: string) => {
    const name = "abc"[next(3)] ?? "a";
    const kinds = [
      call(id, "read", { file_path: name }),
      call(id, "write", { file_path: name, content: lines(name, next(100) + 1) }),
      call(id, "picture", {}),
      call(id, "output", { n: next(5) }),
      call(id, "nothing_like_it", {}),
    ];
    return kinds[next(kinds.length)] ?? call(id, "picture", {});
  };
  const script: Script = (request, n) => {
    if (request.priority === "background") return saying("Work was done.");
    if (n % 12 === 11) return saying("That was it.");
    return calling(...Array.from({ length: 1 + next(3) }, (_, place) => one(`c${n}_${place}`)));
  };
  const memory = new MemorySession({
    script,
    tools: [...memoryTools(files).filter(({ name }) => name !== "bash"), picture, output],
    contextWindow: [8_192, 16_384, 32_768][seed % 3] ?? 8_192,
  });
  for (const text of ["go", lines("pasted", next(3_000)), "go on"]) await memory.say(text);
  return memory;
}

const sessions = Promise.all([1, 2, 3, 4, 5, 6].map(session));

describe.each(rows)("a conversation whose results were shortened, as $api", ({ flavour, vendor }) => {
  it("is valid in every request, whatever the calls were", async () => {
    const made = await sessions;
    const steps = made.flatMap((memory) => memory.facts("context_update").map(({ reason }) => reason));
    expect(new Set(steps)).toEqual(new Set(["threshold", "too_long"]));
    const sent: ModelRequest[] = made.flatMap(({ provider }) => provider.requests.slice(-12));
    const server = await startModelServer({
      flavour,
      scenario: { turns: sent.map(() => turns.say("ok")) },
    });
    try {
      const baseUrl = vendor.api === "ollama" ? server.url : server.baseUrl;
      const provider = createProvider(vendor, {
        baseUrl,
        key: "sk-test-0123456789",
        clock: realClock,
        random: () => 0,
      });
      for (const { messages, tools, system } of sent) {
        const end = endEvent(await talk(provider, { messages, tools, system, contextWindow: 65_536 }));
        expect(end.parts).toEqual([{ type: "text", text: "ok" }]);
      }
      expect(server.problems).toEqual([]);
    } finally {
      await server.close();
    }
  });
});
