import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build, type Metafile } from "esbuild";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { commonOptions, root } from "./build-options.mjs";

/** The methods that the test uses. */
type Client = {
  post(path: string, options: object): { asResponse(): Promise<Response> };
  readonly chat: { readonly completions: unknown };
  readonly models: { list(): unknown };
  readonly responses: { create(body: object): unknown };
};

const folder = mkdtempSync(join(tmpdir(), "harness-openai-"));
const sent: { url: string; body: unknown }[] = [];
let client: Client;
let metafile: Metafile;

beforeAll(async () => {
  const stdin = {
    contents: 'export { OpenAI } from "openai/client";',
    resolveDir: join(root, "packages/providers/src"),
  };
  const result = await build({ ...commonOptions, write: false, inject: [], stdin, format: "esm", metafile: true });
  metafile = result.metafile;
  const path = join(folder, "openai.mjs");
  writeFileSync(path, result.outputFiles?.[0]?.contents ?? "");
  const { OpenAI } = (await import(pathToFileURL(path).href)) as { OpenAI: new (options: object) => Client };
  const answer: typeof fetch = async (url, init) => {
    sent.push({ url: String(url), body: JSON.parse(String(init?.body)) });
    return new Response("data: [DONE]\n\n", { headers: { "content-type": "text/event-stream" } });
  };
  client = new OpenAI({ baseURL: "http://models.test/v1", apiKey: "none", maxRetries: 0, fetch: answer });
});
afterAll(() => rmSync(folder, { recursive: true }));

describe("OpenAI's client in the bundle", () => {
  it("sends a request and hands its answer back", async () => {
    const body = { model: "m", stream: true };
    const response = await client.post("/chat/completions", { body, stream: true }).asResponse();
    expect(await response.text()).toBe("data: [DONE]\n\n");
    expect(sent).toEqual([{ url: "http://models.test/v1/chat/completions", body }]);
  });

  it("has none of the files of its resources, and says so where one is asked for", () => {
    const files = Object.keys(metafile.inputs);
    expect(files).toContain("node_modules/openai/client.mjs");
    expect(files.filter((path) => path.startsWith("node_modules/openai/resources/"))).toEqual([]);
    const leftOut = "is not in the bundle of harness (build/openai-resources.mjs)";
    expect(() => client.chat.completions).toThrow(`openai's completions ${leftOut}`);
    expect(() => client.models.list()).toThrow(`openai's list ${leftOut}`);
    expect(() => client.responses.create({ model: "m" })).toThrow(`openai's create ${leftOut}`);
  });
});
