import { describe, expect, it } from "vitest";
import { mergedRows, readServerRows } from "./read-server-rows.ts";
import { serverRows } from "./server-rows.ts";

const read = (value: unknown) =>
  readServerRows(JSON.stringify(value), { from: "/p/.harness/lsp.json", folder: "/p", known: serverRows });

describe("an lsp.json", () => {
  it("names servers, as Claude's plugins do", () => {
    const entry = { command: "zls", args: ["--x"], extensionToLanguage: { ".zig": "zig" }, rootMarkers: ["build.zig"] };
    const row = { name: "zig", command: ["zls", "--x"], languages: { ".zig": "zig" }, roots: ["build.zig"] };
    expect(read({ zig: entry }).rows).toEqual([expect.objectContaining(row)]);
    expect(read({ lspServers: { zig: entry } }).rows).toEqual([expect.objectContaining(row)]);
  });

  it("changes a known server, with all else as it was", () => {
    const [row] = read({ "rust-analyzer": { settings: { "rust-analyzer": { check: false } } } }).rows;
    expect(row).toMatchObject({ command: ["rust-analyzer"], roots: ["Cargo.toml"], needsTrust: expect.any(String) });
    expect(row?.settings).toEqual({ "rust-analyzer": { check: false } });
  });

  it("names a program by a path from its folder", () => {
    expect(read({ typescript: { command: "./tools/tsc", args: ["--lsp"] } }).rows[0]).toMatchObject({
      command: ["/p/tools/tsc", "--lsp"],
    });
  });

  it("switches servers off, and puts its own first", () => {
    const own = read({ html: { enabled: false }, pyright: { command: "mine" } });
    const names = mergedRows(serverRows, [own]).map(({ name }) => name);
    expect(names[0]).toBe("pyright");
    expect(names).not.toContain("html");
    expect(names).toHaveLength(serverRows.length - 1);
  });

  it.each([
    ["no JSON object", [1], "is not a JSON object"],
    ["no language", { x: { command: "x" } }, "needs a command"],
    ["no command", { x: { extensionToLanguage: { ".x": "x" } } }, "needs a command"],
    ["no object", { x: true }, "needs a command"],
  ])("that has %s is named", (_, value, words) => {
    expect(read(value).problems[0]).toContain(words);
  });
});
