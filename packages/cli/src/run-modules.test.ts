// What a run loads: each of Node's own modules costs the time that a person waits for the first word.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type ModelServer, startModelServer, turns } from "@harness/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { TestHome } from "../test/harness-process.ts";

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
  it("takes the code that Node has compiled of its own modules", async () => {
    const { code, stderr } = await place.run(["help"], { env: { NODE_DEBUG_NATIVE: "code_cache" } });
    expect(code).toBe(0);
    const outcomes = [...stderr.matchAll(/^Code cache of (\S+) .* is (\w+)$/gm)].map(
      ([, name, what]) => `${name} ${what}`,
    );
    expect(outcomes).toContain("crypto accepted");
    // Node loads it with the first module that asks for its own address.
    const late = "internal/modules/esm/initialize_import_meta rejected";
    expect(outcomes.filter((outcome) => outcome.endsWith("rejected") && outcome !== late)).toEqual([]);
  });
});

describe("the command line and the first frame of the window", () => {
  const dist = join(import.meta.dirname, "../../../dist");
  const textOf = (name: string) => readFileSync(join(dist, name), "utf8");

  /** The files of the bundle that this one cannot do without, with itself. */
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
});
