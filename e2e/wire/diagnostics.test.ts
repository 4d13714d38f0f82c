// A language server beside a session: verdicts in results, the count and the list, tools, undo.
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { turns } from "@harness/testkit";
import { afterAll, beforeAll, expect, it } from "vitest";
import { ChangingServer } from "../support/changing-server.ts";

let server: ChangingServer;
beforeAll(async () => {
  server = await ChangingServer.start();
  await server.set({ provider: "openai", model: "scripted", permission_mode: "allow-all", ...server.addresses });
  const options = { strict: true, module: "nodenext", noEmit: true, allowImportingTsExtensions: true };
  writeFileSync(join(server.live.cwd, "tsconfig.json"), JSON.stringify({ compilerOptions: options, include: ["src"] }));
  // Slow machines: the verdict is what is tested here.
  await server.set({ diagnostics_wait_ms: 30_000 });
});
afterAll(() => server?.close());

const write = (name: string, content: string) => turns.call("write", { file_path: name, content });
const command = (name: string, args = "") =>
  server.client.call("command/run", { cwd: server.live.cwd, name, args }).then(({ text }) => text);
const outcomesOf = async (sessionId: string, ...calls: ReturnType<typeof write>[]) =>
  (await server.look(sessionId, [...calls, turns.say("end")])).outcomes.map(({ text }) => text);

it("a mistake is in the result of its edit, in the list and in the display until it is repaired", async () => {
  const sessionId = await server.open();
  expect(await command("diagnostics")).toContain("No language server was started");
  const [wrong] = await outcomesOf(sessionId, write("src/typed.ts", "export const n: number = '';\n"));
  expect(wrong).toContain("src/typed.ts:1:14: error ts 2322: Type 'string' is not assignable to type 'number'.");
  expect((await server.client.call("hud/get", { sessionId })).diagnostics).toEqual({ errors: 1, warnings: 0 });
  expect(await command("diagnostics")).toMatch(
    /^src\/typed\.ts:1:14: error ts 2322.*\ntypescript \(ready\): 1 file open, \d+ MB, /,
  );
  const [right] = await outcomesOf(sessionId, write("src/typed.ts", "export const n: number = 1;\n"));
  expect(right).toContain("Diagnostics after these edits: No new errors (typescript).");
  expect((await server.client.call("hud/get", { sessionId })).diagnostics).toBeUndefined();
});

it("a server hears of files that the person, commands and package managers have changed", async () => {
  const sessionId = await server.open();
  const { cwd } = server.live;
  execFileSync("git", ["init", "-q"], { cwd });
  writeFileSync(join(cwd, ".gitignore"), "node_modules\n");
  const uses = (end: string) =>
    `import { made } from "./made.ts";\nimport { installed } from "installed";\nexport const all = [made, installed${end}];\n`;
  const [missing] = await outcomesOf(sessionId, write("src/uses.ts", uses("")));
  expect(missing).toContain("src/uses.ts:1:22: error ts 2307");
  expect(missing).toContain("src/uses.ts:2:27: error ts 2307");
  writeFileSync(join(cwd, "src/made.ts"), "export const made = 1;\n");
  const install = [
    "mkdir -p node_modules/installed",
    "cd node_modules/installed",
    `echo '{"name":"installed","types":"index.d.ts"}' > package.json`,
    "echo 'export const installed: number;' > index.d.ts",
  ].join(" && ");
  await outcomesOf(sessionId, turns.call("bash", { command: install }), write("src/uses.ts", uses(", 1")));
  expect(await command("diagnostics")).not.toContain("uses.ts");
  const [broken] = await outcomesOf(sessionId, turns.call("bash", { command: "rm src/made.ts" }));
  expect(broken).toContain("src/uses.ts:1:22: error ts 2307: Cannot find module './made.ts'");
});

it("an edit that waits for a review is checked as well, and is on disk only after it", async () => {
  await server.set({ permission_mode: "review" });
  const sessionId = await server.open();
  const [wrong, right] = await outcomesOf(
    sessionId,
    write("src/staged.ts", "export const s: string = 1;\n"),
    write("src/staged.ts", "export const s: number = 1;\n"),
  );
  await server.set({ permission_mode: "allow-all" });
  expect(wrong).toContain("src/staged.ts:1:14: error ts 2322");
  expect(right).toContain("No new errors (typescript)");
  expect(readFileSync(join(server.live.cwd, "src/staged.ts"), "utf8")).toBe("export const s: number = 1;\n");
});

it("a rename is one call: all files change, and one undo takes it back", async () => {
  const sessionId = await server.open();
  const { cwd } = server.live;
  const file = (name: string) => readFileSync(join(cwd, "src", name), "utf8");
  writeFileSync(join(cwd, "src/one.ts"), "export function first() {\n  return 1;\n}\n");
  writeFileSync(join(cwd, "src/two.ts"), 'import { first } from "./one.ts";\nexport const two = first() + first();\n');
  await outcomesOf(
    sessionId,
    write("src/three.ts", 'import { first } from "./one.ts";\nexport const three = first();\n'),
  );
  const named = { file_path: "src/one.ts", line: 1, name: "first" };
  const [uses = "", renamed = ""] = await outcomesOf(
    sessionId,
    turns.call("references", named),
    turns.call("rename", { ...named, new_name: "initial" }),
  );
  expect(uses).toContain("src/two.ts:2:20: export const two = first() + first();");
  expect(renamed).toContain("src/two.ts");
  expect(file("one.ts")).toContain("function initial()");
  expect(file("two.ts")).toBe('import { initial } from "./one.ts";\nexport const two = initial() + initial();\n');
  expect(file("three.ts")).toContain("three = initial()");
  await server.client.call("session/undo", { sessionId });
  expect(file("one.ts") + file("two.ts") + file("three.ts")).not.toContain("initial");
  const [where] = await outcomesOf(sessionId, turns.call("definition", { ...named, file_path: "src/two.ts", line: 2 }));
  expect(where).toContain("src/one.ts:1:17: export function first() {");
});

it("a server that starts changes nothing in the beginning of requests", async () => {
  await server.set({ context_limit: 128_000 });
  const sessionId = await server.open(true);
  const { bodies } = await server.look(sessionId, [
    write("b.ts", "export {};\n"),
    turns.call("tool_search", { query: "rename" }),
    turns.say("end"),
  ]);
  const [before, after, found] = bodies.map(({ tools }) => JSON.stringify(tools));
  expect(after).toBe(before);
  expect(found).toContain('"name":"rename"');
  const other = await server.live.connect();
  const replayed = await other.client.call("session/replay", { sessionId });
  expect(replayed).toMatchObject({ requests: 3, exact: 3, differing: 0, notes: [] });
});
