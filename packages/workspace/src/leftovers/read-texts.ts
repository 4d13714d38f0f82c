import { createHash } from "node:crypto";
import { type Dirent, readdirSync } from "node:fs";
import { join } from "node:path";
import { modeTexts } from "@harness/core";
import { agentNameProblem, readAgent } from "@harness/extensions";
import type { FoundLeftover } from "./leftover.ts";
import { readLeftText } from "./read-left-file.ts";

const MAX_AGENTS = 200;
/** Longer texts of modes are not read. */
const MAX_PROMPT_BYTES = 64_000;

/** Hashes of TinyHarness's own default texts. */
const ownTexts: ReadonlySet<string> = new Set([
  "0229267d7112be5c0b12b4ad28f9c00a86d011fb78f807e3d04f8d7a8eb2c35d",
  "27a78a877c3e0306d6ea75292f3c9935a34dff3514f0d3067477c9d39cc45cc9",
  "4cf7a2ba6cd18d7cbe37dd145350bb1b751faaf21adcea92d3d9debff4aa14c1",
  "4d07bd424ca94619114985ea09a6a3eb22b1f262446e977926bc8ec3c2c68d36",
  "4f12bf742e23b5d98b7bc87bd83d1063d791ef9f2b2692063612bbcbe0799610",
  "73356e9cabbf696684ba8e135d4d810032d121b2cc07285877d017faa41e832d",
  "7a31ee24816e2ca162c78f7392517114120fd15d6253e3894eb509664d540901",
  "8037ebe6815e1054c22de38b44917772f6830e4c35d09807e5d940597c5f0503",
  "b1607cf513f581829f8cbfc85ad0f62f83ea9d982087a926ac91c9ef20dac60f",
]);

/** The named agents in a folder of Local Harness. */
export function agentsLeft(folder: string, home: string): FoundLeftover[] {
  const names = markdownIn(folder);
  const found = names.slice(0, MAX_AGENTS).flatMap((file): FoundLeftover[] => {
    const path = join(folder, file);
    const place = { program: "Local Harness", kind: "agent" as const, path, name: file };
    const read = readLeftText(path, home);
    if (!read) return [];
    if ("problem" in read) return [{ ...place, why: read.problem }];
    const agent = readAgent(read.text, file.slice(0, -3));
    if ("problem" in agent) return [{ ...place, why: agent.problem }];
    const { definition } = agent;
    const wrong = agentNameProblem(definition.name);
    if (wrong !== undefined) return [{ ...place, why: wrong.replace(/\.$/, "") }];
    return [{ ...place, becomes: `agent ${definition.name}`, change: { kind: "agent", definition } }];
  });
  const more = names.length - MAX_AGENTS;
  if (more <= 0) return found;
  const rest = { program: "Local Harness", kind: "agent" as const, path: folder, name: `${more} more` };
  return [...found, { ...rest, why: `only the first ${MAX_AGENTS} are read` }];
}

/** The texts of modes that the user has changed, in a folder of TinyHarness. */
export function promptsLeft(folder: string, home: string): FoundLeftover[] {
  return Object.keys(modeTexts).flatMap((part): FoundLeftover[] => {
    const path = join(folder, `${part}.md`);
    const place = { program: "TinyHarness", kind: "prompt" as const, path, name: `${part}.md` };
    const read = readLeftText(path, home);
    if (!read) return [];
    if ("problem" in read) return [{ ...place, why: read.problem }];
    const text = read.text.trim().replaceAll("\0", "").toWellFormed();
    if (text === "" || ownTexts.has(createHash("sha256").update(text).digest("hex"))) return [];
    if (Buffer.byteLength(text) > MAX_PROMPT_BYTES) return [{ ...place, why: "it is longer than 64 kB" }];
    return [{ ...place, becomes: `prompts/${part}.md`, change: { kind: "prompt", part, text } }];
  });
}

function markdownIn(folder: string): string[] {
  return entriesOf(folder)
    .filter((entry) => entry.name.endsWith(".md") && !entry.name.startsWith(".") && !entry.isDirectory())
    .map(({ name }) => name)
    .sort();
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}
