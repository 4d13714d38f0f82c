import { isAbsolute, sep } from "node:path";
import type {
  FileLedger,
  Tool,
  ToolAlias,
  ToolApproval,
  ToolContext,
  ToolForm,
  ToolResult,
  ToolTable,
} from "@harness/core";
import { Block, Effect } from "@harness/protocol";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import * as z from "zod";
import { numRuns } from "../sample.ts";
import { folderChanges, type HostileFolder, hostilePlace, realOf, snapshot, touches } from "./hostile-folder.ts";

export type ToolRow = {
  /** A fresh table, so that tests cannot disturb each other. */
  table(): ToolTable;
  ledger(): FileLedger;
  /** By tool name: arguments of a call that would take minutes, and that emits something first if the tool emits. */
  slow: Readonly<Record<string, unknown>>;
};

const CALLS_A_TOOL = 40;
const MAX_TEXT_CHARS = 120_000;
const MAX_BLOCKS_CHARS = 1_000_000;
const MAX_IMAGES_CHARS = 8_000_000;
const MAX_EMITTED_CHARS = 2_000_000;

/** The contract of every tool (core's `Tool`), checked for each row of a table with real files and processes. */
export function toolContract(name: string, row: ToolRow): void {
  describe(`tool contract: ${name}`, () => {
    const { tools, aliases } = row.table();
    const forms = aliases.flatMap(({ form, ...alias }) => (form ? [{ ...alias, form }] : []));
    const unchecked = aliases.filter(({ form }) => !form);
    for (const tool of tools) describe(tool.name, () => oneTool(tool.name, row));
    if (forms.length > 0) describe("names that are found by searching", () => foundNames(forms, tools));
    describe("aliases", () => {
      it("have names of their own and lead to tools of the table", () => {
        expect(new Set(aliases.map((alias) => alias.name)).size).toBe(aliases.length);
        const names = new Set(tools.map((tool) => tool.name));
        expect(aliases.filter((alias) => !names.has(alias.tool))).toEqual([]);
        expect(aliases.filter((alias) => names.has(alias.name) && alias.name !== alias.tool)).toEqual([]);
      });

      it("convert without touching their input, and pass unknown keys on, with the action that a name stands for", () => {
        for (const alias of unchecked) {
          const input = frozen({ zzUnknown: [1, { a: null }], zzOther: "x" });
          expect(alias.convert(input), alias.name).toMatchObject(input);
        }
      });

      it("survive any value under any key they know", () => {
        const random = randomNumbers(7);
        for (const alias of unchecked) {
          for (let i = 0; i < 50; i++) {
            const input = Object.fromEntries(pick(KEYS, random, 4).map((word) => [word, oddValue(random)]));
            expect(typeof alias.convert(frozen(input)), alias.name).toBe("object");
          }
        }
      });
    });
  });
}

function foundNames(forms: readonly (ToolAlias & { form: ToolForm })[], tools: readonly Tool[]): void {
  it.each(forms)("can be sent to a model, and become calls of a tool: $name", ({ name, tool, form, convert }) => {
    expect(form.name).toBe(name);
    mustBeSendable(form);
    const target = tools.find((each) => each.name === tool);
    for (let seed = 1; seed <= numRuns(CALLS_A_TOOL); seed++) {
      const input = frozen(generated(form, randomNumbers(seed))) as Record<string, unknown>;
      expect(target?.args.safeParse(convert(input)).success).toBe(true);
    }
  });
}

/** Models know these from the tools of every agent; a description would cost its tokens in each request. */
const selfExplaining = new Set(["file_path", "content", "new_string", "replace_all"]);

function mustBeSendable(form: ToolForm): void {
  expect(form.name).toMatch(/^[a-z][a-z0-9_]{0,63}$/);
  expect(form.description).toMatch(/^[A-Z].{10,}\.$/);
  const schema = schemaOf(form);
  expect(schema.type).toBe("object");
  expect(schema.additionalProperties).toBe(false);
  for (const [key, property] of Object.entries(schema.properties ?? {})) {
    if (!selfExplaining.has(key)) expect(property.description, key).toMatch(/\S/);
  }
}

function oneTool(name: string, row: ToolRow): void {
  let tool: Tool;
  beforeEach(() => {
    tool = toolOf(row.table(), name);
  });

  it("has a name, a description and arguments that can be sent to a model", () => {
    mustBeSendable(tool);
  });

  it("refuses arguments it does not know", () => {
    const args = { ...(generated(tool, randomNumbers(1)) as object), zzUnknown: 1 };
    expect(tool.args.safeParse(args).success).toBe(false);
  });

  it("takes what its own alias makes of canonical arguments, unchanged", () => {
    const alias = row.table().aliases.find((each) => each.name === name);
    for (let seed = 1; seed <= numRuns(CALLS_A_TOOL); seed++) {
      const args = generated(tool, randomNumbers(seed)) as Record<string, unknown>;
      if (alias) expect(alias.convert(frozen(args))).toEqual(args);
    }
  });

  describe("changes nothing", () => untouched(name, row));
  describe("in a hostile folder", () => unharmed(name, row));
}

/** Tests that do not change the folder: one folder is enough for all of them. */
function untouched(name: string, row: ToolRow): void {
  let tool: Tool;
  let place: HostileFolder;
  beforeAll(() => {
    place = hostilePlace();
  });
  beforeEach(() => {
    tool = toolOf(row.table(), name);
  });
  afterAll(() => place.remove());

  it("derives effects and title without looking or touching, for any arguments", () => {
    const before = snapshot(place);
    for (let seed = 1; seed <= 5 * CALLS_A_TOOL; seed++) {
      const args = frozen(generated(tool, randomNumbers(seed)));
      const effects = tool.effects(args, place.root);
      expect(tool.effects(args, place.root)).toEqual(effects);
      for (const effect of effects) {
        Effect.parse(effect);
        const path = "path" in effect ? effect.path : "cwd" in effect ? effect.cwd : "/";
        expect(isAbsolute(path), path).toBe(true);
      }
      const title = tool.title(args, place.root);
      expect(title).toMatch(/\S/);
      // biome-ignore lint/suspicious/noControlCharactersInRegex: none of them may be in a title.
      expect(title).not.toMatch(/[\0-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e]/);
      expect(title.length).toBeLessThan(300);
    }
    expect(snapshot(place)).toEqual(before);
  });

  it("refuses what leads to another place than the one that was judged", async () => {
    const before = snapshot(place);
    for (let seed = 1; seed <= numRuns(CALLS_A_TOOL); seed++) {
      const args = frozen(generated(tool, randomNumbers(seed)));
      const real = judged(tool.effects(args, place.root));
      if (real.size === 0) continue;
      const realPaths = new Map([...real].map(([path, at]) => [path, `${at}-before`]));
      const { context } = contextIn(place, row.ledger());
      const what = `${name} ${JSON.stringify(args).slice(0, 300)}`;
      const result = await tool.run(args, context, approvalOf(place, realPaths));
      mustBeSound(result, what);
      expect(result.status, what).toBe("error");
      expect(JSON.stringify(result), what).not.toContain("canary");
    }
    expect(snapshot(place)).toEqual(before);
  });

  it("does nothing when the signal has aborted already", async () => {
    const before = snapshot(place);
    for (let seed = 1; seed <= 10; seed++) {
      const args = generated(tool, randomNumbers(seed));
      const { context, emitted } = contextIn(place, row.ledger(), { signal: AbortSignal.abort() });
      mustBeSound(await tool.run(args, context, approvalOf(place)), `${name}, aborted`);
      expect(emitted()).toBe("");
    }
    expect(snapshot(place)).toEqual(before);
  });
}

function unharmed(name: string, row: ToolRow): void {
  let tool: Tool;
  let place: HostileFolder;
  beforeEach(() => {
    tool = toolOf(row.table(), name);
    place = hostilePlace();
  });
  afterEach(() => place.remove());

  it("never throws, stays bounded and keeps to its effects, whatever is asked of a hostile folder", async () => {
    const ledger = row.ledger();
    for (let seed = 1; seed <= numRuns(CALLS_A_TOOL); seed++) {
      const args = frozen(generated(tool, randomNumbers(seed)));
      const what = `${name} ${JSON.stringify(args).slice(0, 300)}`;
      const effects = tool.effects(args, place.root);
      const allowed = effects.flatMap((effect) => (effect.kind === "write" ? [realOf(effect.path)] : []));
      const commands = effects.flatMap((effect) => (effect.kind === "run" ? [effect.command] : []));
      // Dozens of braces are a bomb for a shell, not for us.
      if (commands.some((command) => command.includes("{"))) continue;
      const free = commands.length > 0;
      const before = snapshot(place);
      const { context, emitted } = contextIn(place, ledger);
      const approval = approvalOf(place, judged(effects));
      if (tool.preview) {
        const preview = await tool.preview(args, context, approval);
        if (Array.isArray(preview)) for (const block of preview) Block.parse(block);
        else if (preview) expect(preview.problem, what).not.toBe("");
        expect(folderChanges(before, snapshot(place)), `preview of ${what}`).toEqual([]);
      }
      const result = await tool.run(args, context, approval);
      mustBeSound(result, what);
      if (!free && !leadOut(effects, place)) expect(JSON.stringify(result), what).not.toContain("canary");
      expect(emitted().length, what).toBeLessThan(MAX_EMITTED_CHARS);
      const changed = folderChanges(before, snapshot(place));
      if (tool.category === "readOnly") expect(changed, what).toEqual([]);
      const unannounced = changed.filter((path) => !free && !allowed.some((each) => touches(each, path)));
      expect(unannounced, what).toEqual([]);
    }
  });

  it("ends soon, with an answer, when the signal aborts in the middle", async () => {
    const args = tool.args.parse(row.slow[name] ?? generated(tool, randomNumbers(3)));
    const stop = new AbortController();
    const { context } = contextIn(place, row.ledger(), { signal: stop.signal, heard: () => stop.abort() });
    const running = tool.run(args, context, approvalOf(place));
    if (!(name in row.slow)) setImmediate(() => stop.abort());
    mustBeSound(await running, `${name}, aborted in the middle`);
  });
}

function mustBeSound(result: ToolResult, what: string): void {
  expect(["ok", "error"], what).toContain(result.status);
  expect(result.text, what).toMatch(/\S/);
  expect(result.text.isWellFormed(), what).toBe(true);
  expect(result.text.length, what).toBeLessThan(MAX_TEXT_CHARS);
  for (const block of result.blocks) Block.parse(block);
  expect(JSON.stringify(result.blocks).length, what).toBeLessThan(MAX_BLOCKS_CHARS);
  expect(JSON.stringify(result.images ?? []).length, what).toBeLessThan(MAX_IMAGES_CHARS);
}

/** The real paths of effects, as the gate passes them to a tool. */
function judged(effects: readonly Effect[]): Map<string, string> {
  const paths = effects.flatMap((each) => ("path" in each ? [each.path] : each.kind === "run" ? [each.cwd] : []));
  return new Map(paths.map((path) => [path, realOf(path)]));
}

/** True if the call announced that it reads something outside the root: then it may be shown. */
function leadOut(effects: readonly Effect[], { root }: HostileFolder): boolean {
  return [...judged(effects).values()].some((path) => path !== root && !path.startsWith(root + sep));
}

function toolOf(table: ToolTable, name: string): Tool {
  const tool = table.tools.find((each) => each.name === name);
  if (!tool) throw new Error(`the table no longer has ${name}`);
  return tool;
}

function approvalOf({ root }: HostileFolder, realPaths: ToolApproval["realPaths"] = new Map()): ToolApproval {
  return { realPaths, roots: [root], sandboxed: false };
}

function contextIn(folder: HostileFolder, files: FileLedger, over: { signal?: AbortSignal; heard?: () => void } = {}) {
  let text = "";
  const context: ToolContext = {
    staged: undefined,
    extracts: undefined,
    askModel: undefined,
    traceparent: undefined,
    ask: undefined,
    agentId: "main",
    cwd: folder.root,
    signal: over.signal ?? new AbortController().signal,
    emit(piece) {
      text += piece;
      over.heard?.();
    },
    files,
    spill: folder.spill,
  };
  return { context, emitted: () => text };
}

// Arguments

type Schema = {
  type?: string;
  description?: string;
  enum?: unknown[];
  minimum?: number;
  minLength?: number;
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: unknown;
};

function schemaOf(tool: ToolForm): Schema {
  return z.toJSONSchema(tool.args, { io: "input" }) as Schema;
}

/**
 * Valid arguments for a tool, as a malicious or confused model might write them. The same seed gives the same
 * arguments.
 */
function generated(tool: ToolForm, random: () => number): unknown {
  return tool.args.parse(objectFor(schemaOf(tool), random));
}

function objectFor({ properties = {}, required = [] }: Schema, random: () => number): Record<string, unknown> {
  const object: Record<string, unknown> = {};
  for (const [key, property] of Object.entries(properties)) {
    if (required.includes(key) || random() < 0.5) object[key] = valueFor(property, random);
  }
  return object;
}

function valueFor(property: Schema, random: () => number): unknown {
  if (property.enum) return property.enum[Math.floor(random() * property.enum.length)];
  switch (property.type) {
    case "boolean":
      return random() < 0.5;
    case "integer":
      return Math.max(property.minimum ?? -1, pick([-1, 0, 1, 2, 17, 2000, 1_000_000, 2 ** 53 - 1], random)[0] ?? 0);
    case "number":
      return pick([0, -0.5, 1e308, -1e308, 3], random)[0];
    case "array":
      return [valueFor(property.items ?? {}, random)];
    case "object":
      return objectFor(property, random);
    default:
      return pick(property.minLength ? STRINGS.filter((each) => each !== "") : STRINGS, random)[0];
  }
}

/** Names in the hostile folder, patterns and rubbish; each harmless if a shell takes it for a command. */
const STRINGS = [
  "plain.txt",
  "./plain.txt",
  "crlf.txt",
  "bom.txt",
  "utf16.txt",
  "latin1.txt",
  "empty.txt",
  "binary.bin",
  "pixel.png",
  "long-line.txt",
  "sub",
  "sub/inner.ts",
  "sub/../plain.txt",
  "new/folder/file.txt",
  "plain.txt/below",
  "name with spaces.txt",
  "-rf",
  "new\nline.txt",
  "loop",
  "dangling",
  "link-out.txt",
  "folder-out",
  "folder-out/secret.txt",
  "fifo",
  "closed.txt",
  ".env",
  ".gitignore",
  ".",
  "..",
  "",
  " ",
  "~",
  "/dev/zero",
  "/dev/full",
  "/proc/self/mem",
  "/proc/kmsg",
  "file:///dev/zero",
  "file://elsewhere/x",
  "x".repeat(5000),
  "a\0b",
  "\ud800",
  "\u202egnp.exe",
  "line one",
  "one\ntwo\n",
  "a",
  "*",
  "**",
  "**/*",
  "*.txt",
  "../**/*",
  "{.,q}./outside/*",
  ".{,.}/outside/*",
  "..{,}/outside/*",
  "{/,q}/*",
  "{folder-out,q}/*",
  "{sub,folder-out}/secret.txt",
  "[z-a]",
  "[",
  "(a+)+$",
  "(?<=x)y",
  "^",
  "{a,b}".repeat(30),
  "{1..999999999}",
  "*a".repeat(40),
  "((((((((((",
  "\\",
  "!",
];

/** Argument names that this and other programs use. */
const KEYS = (
  "path file filename filePath file_path content text command cmd timeout timeout_seconds timeout_ms cwd workdir from to " +
  "start_line end_line view_range offset limit edits old_str new_str old_string new_string replace_all include glob " +
  "file_filter include_hidden max_results query pattern regex show_hidden"
).split(" ");

function oddValue(random: () => number): unknown {
  return pick<unknown>(
    [null, undefined, "", "5", 5, -1.5, true, [], ["bash", "-c", "true"], [1, 2], {}, "a b"],
    random,
  )[0];
}

function pick<T>(from: readonly T[], random: () => number, count = 1): T[] {
  return Array.from({ length: count }, () => from[Math.floor(random() * from.length)] as T);
}

/** A small generator of our own (mulberry32): failures must be reproducible. */
function randomNumbers(seed: number): () => number {
  let state = seed * 0x9e3779b1;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

function frozen<T>(value: T): T {
  if (typeof value === "object" && value !== null) {
    for (const inner of Object.values(value)) frozen(inner);
    Object.freeze(value);
  }
  return value;
}
