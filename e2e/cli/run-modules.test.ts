// The modules that a run loads: each of Node's own costs time until the user sees the first word.
import { execFile } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { type ModelServer, startModelServer, turns } from "@harness/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { TestHome } from "../../packages/cli/test/harness-process.ts";

const dist = join(import.meta.dirname, "../../dist");
let server: ModelServer;
let place: TestHome;
let probe: string;
let list: string;

beforeAll(async () => {
  server = await startModelServer({ scenario: { turns: [turns.say("Hello.", { repeat: "always" })] } });
  place = new TestHome(server.environment);
  probe = join(place.root, "probe.cjs");
  list = join(place.root, "modules.txt");
  const write = `require("node:fs").writeFileSync(${JSON.stringify(list)}, process.moduleLoadList.join("\\n"))`;
  writeFileSync(probe, `process.on("exit", () => ${write});`);
});
afterAll(async () => {
  await server.close();
  place.remove();
});

describe("a run with one answer", () => {
  it("does not load Node's own HTTP client behind fetch", async () => {
    const env = { NODE_OPTIONS: `--require "${probe}"` };
    expect(await place.run(["run", "hi"], { env })).toMatchObject({ code: 0, stdout: "Hello.\n" });
    const modules = readFileSync(list, "utf8").split("\n");
    expect(modules).toContain("NativeModule internal/fs/utils");
    expect(modules.filter((name) => name.includes("undici/undici"))).toEqual([]);
  });
});

describe("a start from the bundle", () => {
  it.each([
    ["harness.mjs", ["help", "flags"]],
    ["server.mjs", []],
  ])("takes the code that Node has compiled of its own modules: %s", async (program, args) => {
    const env = { ...place.env, NODE_DEBUG_NATIVE: "code_cache" };
    const child = promisify(execFile)(process.execPath, [join(dist, program), ...args], { cwd: place.cwd, env });
    child.child.stdin?.end();
    const { stderr } = await child;
    const outcomes = [...stderr.matchAll(/^Code cache of (\S+) .* is (\w+)$/gm)].map(
      ([, name, what]) => `${name} ${what}`,
    );
    expect(outcomes).toContain("crypto accepted");
    // Node loads these for itself on demand.
    const late = /^internal\/(modules\/esm\/initialize_import_meta|file|navigator) /;
    expect(outcomes.filter((outcome) => outcome.endsWith("rejected") && !late.test(outcome))).toEqual([]);
  });
});

describe("the command line and the first frame of the window", () => {
  const textOf = (name: string) => readFileSync(join(dist, name), "utf8");

  /** This file of the bundle, and all that it needs. */
  function withImports(name: string, known = new Set<string>()): Set<string> {
    if (known.has(name)) return known;
    known.add(name);
    for (const [, next = ""] of textOf(name).matchAll(/(?:^|;)import\b[^"();]*"\.\/([^"]+)"/gm))
      withImports(next, known);
    return known;
  }

  it.each(["readCommandLine", "runWindow"])("load no schemas: %s", (entry) => {
    const built: string[] = JSON.parse(textOf("built"));
    const main = textOf(built.find((name) => name.startsWith("harness-main-")) ?? "");
    const parts = [...main.matchAll(/import\("\.\/([^"]+)"\)/g)].map(([, name = ""]) => name);
    const start = parts.find((name) =>
      [...withImports(name)].some((each) => textOf(each).includes(`function ${entry}(`)),
    );
    const files = [...withImports(start ?? "")];
    expect(files.length).toBeGreaterThan(3);
    expect(files.filter((name) => textOf(name).includes("ZodType"))).toEqual([]);
  });

  it("answer an editor before the server is loaded, and load nothing of it otherwise", () => {
    const built: string[] = JSON.parse(textOf("built"));
    const has = (name: string, text: string) => textOf(name).includes(text);
    const agent = built.find((name) => has(name, "function serveAcp("));
    const files = [...withImports(agent ?? "")];
    expect(files.filter((name) => has(name, "function agentApp("))).not.toEqual([]);
    expect(files.filter((name) => has(name, "function composeServer(") || has(name, "function applyUpdate("))).toEqual(
      [],
    );
    for (const program of ["harness-main-", "server-main-"]) {
      const start = withImports(built.find((name) => name.startsWith(program)) ?? "");
      expect([...start].filter((name) => has(name, "function agentApp("))).toEqual([]);
    }
  });
});
