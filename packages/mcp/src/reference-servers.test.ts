import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { compileCache, options, startedPool, type TestPool } from "../test/pool.ts";
import { type HttpProcess, startHttpProcess } from "../test/servers/http-process.ts";
import { referenceServers } from "../test/servers/reference-servers.ts";
import type { McpProgress, McpServerConfig } from "./index.ts";

const open: TestPool[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map(({ pool }) => pool.close()));
});

async function started(server: Partial<McpServerConfig>, more: Parameters<typeof startedPool>[1] = {}) {
  const config: McpServerConfig = { name: "reference", from: "/mcp.json", ...server };
  const test = await startedPool(config, more);
  open.push(test);
  const call = (tool: string, args: Record<string, unknown> = {}) =>
    test.pool.callTool("reference", tool, args, options());
  return { ...test, call, view: test.pool.servers()[0] };
}

const program = (path: string, ...args: string[]) => ({
  command: process.execPath,
  args: [path, ...args],
  env: compileCache,
});

describe("server-everything over stdio", () => {
  const everything = program(referenceServers.everything, "stdio");

  test("shows tools, prompts with their arguments, resources and templates", async () => {
    const { view } = await started(everything);
    expect(view).toMatchObject({ state: "ready", era: "legacy", notes: [] });
    expect(view?.tools.length).toBeGreaterThan(12);
    expect(view?.prompts.map(({ name }) => name)).toEqual([
      "args-prompt",
      "completable-prompt",
      "resource-prompt",
      "simple-prompt",
    ]);
    expect(view?.prompts[0]?.arguments.map(({ name, required }) => [name, required])).toEqual([
      ["city", true],
      ["state", false],
    ]);
    expect(view?.resources.length).toBe(7);
    expect(view?.templates.map(({ uriTemplate }) => uriTemplate)).toContain(
      "demo://resource/dynamic/text/{resourceId}",
    );
  });

  test("answers with text, a picture, links, an embedded resource and structured content", async () => {
    const { call } = await started(everything);
    expect(await call("get-sum", { a: 2, b: 3 })).toMatchObject({ status: "ok", text: "The sum of 2 and 3 is 5." });
    const picture = await call("get-tiny-image");
    expect(picture.images).toMatchObject([{ type: "image", mimeType: "image/png" }]);
    expect(picture.text).toContain("[image, image/png, 4 kB]");
    expect((await call("get-resource-links", { count: 2 })).text).toContain(
      "[resource link demo://resource/dynamic/blob/1 (text/plain), Blob Resource 1",
    );
    const embedded = await call("get-resource-reference", { resourceType: "Text", resourceId: 1 });
    expect(embedded.text).toContain("[resource demo://resource/dynamic/text/1, text/plain]\nResource 1: This is");
    const structured = await call("get-structured-content", { location: "New York" });
    expect(structured.blocks.at(-1)).toMatchObject({ type: "json", value: { conditions: "Cloudy" } });
    expect(structured.text.match(/Cloudy/g)).toHaveLength(1);
  });

  test("reports progress while it works", async () => {
    const { pool } = await started(everything);
    const seen: McpProgress[] = [];
    const args = { duration: 0.5, steps: 2 };
    const report = { ...options(), onProgress: (progress: McpProgress) => seen.push(progress) };
    const outcome = await pool.callTool("reference", "trigger-long-running-operation", args, report);
    expect(outcome.status).toBe("ok");
    expect(seen[0]).toMatchObject({ progress: 1, total: 2 });
  });

  test("asks the person by a form and by an address", async () => {
    const answer = { action: "accept", content: { name: "Ada", check: true, email: "a@b.org" } } as const;
    const { call, questions } = await started(everything, { answer });
    expect((await call("trigger-elicitation-request")).text).toContain("Ada");
    const url = "https://example.com/login";
    expect((await call("trigger-url-elicitation", { url })).status).toBe("ok");
    expect((await call("trigger-url-elicitation", { url, errorPath: true })).status).toBe("ok");
    expect(questions).toMatchObject([
      { kind: "form", server: "reference", tool: "trigger-elicitation-request" },
      { kind: "url", url, tool: "trigger-url-elicitation" },
      // The first answer was an error that names what must be opened before.
      { kind: "url", url: "https://modelcontextprotocol.io" },
      { kind: "url", url },
    ]);
  });

  test("gets the folders of the session", async () => {
    const { call } = await started(everything);
    expect((await call("get-roots-list")).text).toContain("file:///work%20folder");
  });

  test("gives prompts, completes their arguments, and reads resources", async () => {
    const { pool } = await started(everything);
    const prompt = await pool.getPrompt("reference", "args-prompt", { city: "Rome" }, options());
    expect(prompt).toMatchObject({ messages: [{ role: "user", text: expect.stringContaining("Rome") }] });
    const { signal } = options();
    const request = { prompt: "completable-prompt", argument: "department", value: "S", others: {} };
    expect(await pool.complete("reference", request, signal)).toEqual(["Sales", "Support"]);
    const then = { prompt: "completable-prompt", argument: "name", value: "", others: { department: "Sales" } };
    expect(await pool.complete("reference", then, signal)).toContain("David");
    const read = await pool.readResource("reference", "demo://resource/static/document/features.md", options());
    expect(read).toMatchObject({ pieces: [{ mimeType: "text/markdown", text: expect.stringContaining("#") }] });
    const blob = await pool.readResource("reference", "demo://resource/dynamic/blob/1", options());
    expect(blob).toMatchObject({ pieces: [{ data: expect.any(String), bytes: expect.any(Number) }] });
  });
});

describe("server-everything over HTTP", () => {
  const servers: HttpProcess[] = [];
  const serve = async (kind: string, path: string) => {
    const server = await startHttpProcess(() => [referenceServers.everything, kind], path);
    servers.push(server);
    return server.url;
  };
  afterAll(() => Promise.all(servers.map((server) => server.close())));

  test("is reached over streamable HTTP", async () => {
    const { view, call } = await started({ url: await serve("streamableHttp", "/mcp") });
    expect(view).toMatchObject({ state: "ready", era: "legacy" });
    expect((await call("echo", { message: "far" })).text).toBe("Echo: far");
  });

  test("is reached over SSE where it knows nothing newer", async () => {
    const { view, call } = await started({ url: await serve("sse", "/sse") });
    expect(view).toMatchObject({ state: "ready", era: "legacy" });
    expect((await call("echo", { message: "old" })).text).toBe("Echo: old");
  });
});

describe("the other reference servers", () => {
  let folder = "";
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "mcp-reference-"));
    await writeFile(join(folder, "hello.txt"), "hello from a file");
  });
  afterAll(() => rm(folder, { recursive: true }));

  test("server-filesystem reads a file of its folder and refuses one outside", async () => {
    const { view, call } = await started(program(referenceServers.filesystem, folder), {
      people: { ask: async () => ({ action: "decline" }), roots: () => [folder] },
    });
    expect(view?.tools.map(({ name }) => name)).toContain("read_text_file");
    expect(await call("read_text_file", { path: join(folder, "hello.txt") })).toMatchObject({
      status: "ok",
      text: "hello from a file",
    });
    expect(await call("read_text_file", { path: "/etc/passwd" })).toMatchObject({ status: "error" });
  });

  test("server-memory keeps its input", async () => {
    const env = { ...compileCache, MEMORY_FILE_PATH: join(folder, "memory.jsonl") };
    const { call } = await started({ ...program(referenceServers.memory), env });
    const entities = [{ name: "Ada", entityType: "person", observations: ["counts"] }];
    expect(await call("create_entities", { entities })).toMatchObject({ status: "ok" });
    expect((await call("search_nodes", { query: "Ada" })).text).toContain("counts");
  });

  test("server-sequential-thinking counts thoughts", async () => {
    const { call } = await started(program(referenceServers.thinking));
    const thought = { thought: "first", nextThoughtNeeded: false, thoughtNumber: 1, totalThoughts: 1 };
    expect((await call("sequentialthinking", thought)).text).toContain('"thoughtHistoryLength": 1');
  });
});
