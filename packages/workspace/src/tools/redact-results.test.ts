import { mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defineTool, type SamplingRequest, type ToolContext } from "@harness/core";
import { createRedactor, KnownSecrets } from "@harness/storage";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import * as z from "zod";
import { redactResults } from "./redact-results.ts";
import { redactStream } from "./redact-stream.ts";

const KEY = "k3y5e3b1f0c9d8a7b6c5";
const OTHER = `${KEY}-with-more-of-it`;

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "secrets-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it("secrets are not in what a tool asks a model beside the conversation", async () => {
  const secrets = new KnownSecrets();
  secrets.add([{ name: "K", value: KEY }]);
  const asks = defineTool({
    name: "asks",
    description: "Asks with a key.",
    args: z.strictObject({}),
    category: "readOnly",
    effects: () => [],
    title: () => "asks",
    async run(_args, { extracts, askModel, signal }) {
      await extracts?.ask({ system: "Choose.", text: `key ${KEY}` }, signal);
      const messages = [{ role: "user" as const, text: `key ${KEY}` }];
      await askModel?.({ system: `With ${KEY}.`, messages, maxOutputTokens: 1 }, signal);
      return { status: "ok", text: "ok", blocks: [] };
    },
  });
  const tool = redactResults(asks, () => secrets.redactor);
  const asked: string[] = [];
  const ask = async ({ text }: { text: string }) => {
    asked.push(text);
    return undefined;
  };
  const extracts = { aboveLines: 1, purpose: "", maxChars: 1, answers: new Map(), ask };
  const context = {
    extracts,
    askModel: async (question: SamplingRequest) => {
      asked.push(JSON.stringify(question));
      return { problem: "none" };
    },
    emit: () => undefined,
    spill: () => "",
    signal: new AbortController().signal,
  } as unknown as ToolContext;
  await tool.run({}, context, { realPaths: new Map(), roots: [], sandboxed: false });
  expect(asked).toHaveLength(2);
  expect(asked.join()).not.toContain(KEY);
});

/** The outcome of a tool with this implementation, and its progress while it runs. */
async function run(does: (context: ToolContext) => string, secrets = new KnownSecrets()) {
  secrets.add([
    { name: "K", value: KEY },
    { name: "OTHER", value: OTHER },
  ]);
  const leak = defineTool({
    name: "leak",
    description: "Says a key.",
    args: z.strictObject({}),
    category: "readOnly",
    effects: () => [],
    title: () => "leak",
    async run(_args, context) {
      const text = does(context);
      return { status: "ok", text, blocks: [{ type: "text", text: `block\n"${text}"` }] };
    },
  });
  const tool = redactResults(leak, () => secrets.redactor);
  const emitted: string[] = [];
  const spill = () => {
    const path = join(folder, "spilled");
    writeFileSync(path, "", { mode: 0o600 });
    return path;
  };
  const context = { emit: (text: string) => emitted.push(text), spill } as unknown as ToolContext;
  return { result: await tool.run({}, context, { realPaths: new Map(), roots: [], sandboxed: false }), emitted };
}

describe("redactResults", () => {
  it("removes a key from text, blocks and streamed output", async () => {
    const { result, emitted } = await run((context) => {
      context.emit(`streamed ${KEY}!`);
      return `text ${KEY}`;
    });
    const blocks = [{ type: "text", text: 'block\n"text [secret K]"' }];
    expect(result).toEqual({ status: "ok", text: "text [secret K]", blocks });
    expect(emitted.join("")).toBe("streamed [secret K]!");
  });

  it("removes a key that became known while the tool ran", async () => {
    const secrets = new KnownSecrets();
    const { result } = await run(() => {
      secrets.add([{ name: "NEW", value: "0123456789-abcdef-new" }]);
      return "0123456789-abcdef-new";
    }, secrets);
    expect(result?.text).toBe("[secret NEW]");
  });

  it("removes a key from the file with the whole output, and leaves the other bytes unchanged", async () => {
    const noise = Buffer.from(Array.from({ length: 256 * 1024 - 9 }, (_, at) => at % 256));
    const path = join(folder, "spilled");
    await run((context) => {
      context.spill(".txt");
      writeFileSync(path, Buffer.concat([noise, Buffer.from(OTHER), noise, Buffer.from(KEY)]));
      return "long";
    });
    const blank = (key: string) => Buffer.from("[secret]".padEnd(key.length, "*"));
    expect(readFileSync(path).equals(Buffer.concat([noise, blank(OTHER), noise, blank(KEY)]))).toBe(true);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it("deletes a file that it could not search", async () => {
    await run((context) => {
      const path = context.spill(".txt");
      rmSync(path);
      symlinkSync(join(folder, "elsewhere"), path);
      return "long";
    });
    expect(statSync(join(folder, "spilled"), { throwIfNoEntry: false })).toBeUndefined();
  });
});

describe("redaction of a stream", () => {
  const text = `first\nkey ${KEY} and ${OTHER}, base64 ${Buffer.from(`x${KEY}y`).toString("base64")}\nlast ${KEY.slice(0, 9)}`;
  const redactor = createRedactor([
    { name: "K", value: KEY },
    { name: "OTHER", value: OTHER },
  ]);

  it.each([1, 2, 7, 1000])("gives the same text for pieces of %i characters as for the whole", (size) => {
    let said = "";
    const stream = redactStream(
      () => redactor,
      (piece) => {
        said += piece;
      },
    );
    for (let at = 0; at < text.length; at += size) stream.push(text.slice(at, at + size));
    expect(said).toContain("first\n");
    stream.end();
    expect(said).toBe(redactor.hide(text));
    expect(said).not.toContain(KEY);
  });

  it("does not split a secret whose end may begin another", () => {
    const said: string[] = [];
    const two = createRedactor([
      { name: "K", value: KEY },
      { name: "LAST", value: `${KEY.slice(-3)}-begins-as-the-first-ends` },
    ]);
    const stream = redactStream(
      () => two,
      (piece) => said.push(piece),
    );
    stream.push(`a ${KEY}`);
    stream.push("\n");
    stream.end();
    expect(said).toEqual(["a ", "[secret K]\n"]);
  });
});
