import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { FileStamps } from "@harness/host";
import { afterEach, beforeEach, expect, it } from "vitest";
import { SourceInventory } from "./source-inventory.ts";

let home: string;
beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), "scope-")));
  put("plugins/anthropic/providers/anthropic");
  put("plugins/anthropic/hooks.d/assemble/10-messages");
  put("plugins/openai/providers/openai");
  put("plugins/openai/tools/their-search");
  put("plugins/openai/providers/groq.conf", "protocol=openai\n");
  put("plugins/fireworks/providers/fireworks.conf", "protocol=anthropic\n");
  put("plugins/core/tools/count");
  put("providers/mine.conf", "url=http://x\n");
  put("hooks.d/send/20-log");
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

function put(path: string, text = "#!/bin/sh\n"): void {
  const file = join(home, ".harness", path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text, { mode: 0o755 });
}

function names(chosen: string | undefined, asked?: string): string[] {
  const trust = { standing: () => "", isTrusted: () => true, leadsOut: () => false, hasLapsed: () => false };
  const places = { configFolder: join(home, "config"), home };
  const inventory = new SourceInventory({ places, stamps: new FileStamps(), trust, chosenProvider: () => chosen });
  const found = inventory.at(home, asked);
  expect(found.of("provider")).toHaveLength(5);
  expect(inventory.at(home, asked)).toBe(found);
  return [...found.of("hook"), ...found.of("tool")].map(({ name }) => name);
}

it.each<[string | undefined, string[]]>([
  [undefined, ["10-messages", "20-log", "count", "their-search"]],
  ["anthropic", ["10-messages", "20-log", "count"]],
  ["openai", ["20-log", "count", "their-search"]],
  ["groq", ["20-log", "count", "their-search"]],
  ["fireworks", ["10-messages", "20-log", "count"]],
  ["mine", ["20-log", "count", "their-search"]],
  ["ollama", ["20-log", "count"]],
])("with the provider %s chosen, the plugins of other providers are left out", (chosen, wanted) => {
  expect(names(chosen)).toEqual(wanted);
  expect(names("somebody", chosen ?? "")).toEqual(wanted);
});
