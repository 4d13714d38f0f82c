import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, rmSync, symlinkSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { idleFlags, startFlags } from "../../build/v8-flags.mjs";
import { FakeCheckout } from "./fake-checkout.ts";

let checkout: FakeCheckout;
let dist: string;

beforeEach(() => {
  checkout = new FakeCheckout();
  checkout.useRealBundler();
  checkout.write("packages/server/src/greeting.ts", `export const greet = (name: string) => \`hello \${name}\\n\`;`);
  checkout.write(
    "packages/server/src/main.ts",
    `import { greet } from "./greeting.ts"; process.stdout.write(greet("server"));`,
  );
  checkout.write(
    "packages/cli/src/main.ts",
    `if (process.argv[2] === "lazily") {
      const { greet } = await import("../../server/src/greeting.ts");
      process.stdout.write(greet(process.env.NODE_ENV ?? ""));
    }`,
  );
  dist = join(checkout.root, "dist");
});
afterEach(() => checkout.remove());

const chunks = () => readdirSync(dist).filter((name) => /-[0-9A-Z]{8}\.mjs$/.test(name));

/** Simulates a start that has found newer sources, so that the programs of these tests need not wait for the check. */
const found = { HARNESS_LOOK: "newer" };

describe("build/bundle.mjs", () => {
  it("makes a command and a server that share their code and fill the compile cache", async () => {
    expect(await checkout.harness(["lazily"])).toMatchObject({ code: 0, stdout: "hello production\n" });
    // The flags of bin/harness: with others, V8 would keep a second cache.
    const flags = [...startFlags, ...idleFlags];
    const server = execFileSync(process.execPath, [...flags, join(dist, "server.mjs")], { encoding: "utf8" });
    expect(server).toBe("hello server\n");
    expect(chunks().filter((name) => readFileSync(join(dist, name), "utf8").includes("hello"))).toHaveLength(1);
    expect(readdirSync(join(dist, "cache"))).toHaveLength(1);
    expect(await checkout.harness(["lazily"])).toMatchObject({ code: 0, stderr: "" });
  });

  it("collects the garbage of the start once it is quiet", async () => {
    checkout.write(
      "packages/cli/src/main.ts",
      `const registry = new FinalizationRegistry(() => process.exit(3));
      Object.assign(globalThis, { registry });
      registry.register({}, 0);
      setTimeout(() => {}, 20_000);`,
    );
    expect(await checkout.harness()).toMatchObject({ code: 3, stderr: expect.not.stringContaining("Error") });
  });

  it("writes ASCII alone, in which regular expressions and texts mean the same", async () => {
    checkout.write(
      "packages/cli/src/main.ts",
      `// An em dash — here.
      const isKnown = /^[а-я😀]+$/u.test("я😀") && !/^[а-я😀]+$/u.test("b") && /—/.test("a—b");
      process.stdout.write(\`\${isKnown} ü 😀\n\`);`,
    );
    expect(await checkout.harness()).toMatchObject({ code: 0, stdout: "true ü 😀\n" });
    for (const name of chunks()) expect(readFileSync(join(dist, name), "latin1")).toMatch(/^[\0-\x7f]*$/);
  });

  it("keeps replaced chunks for running programs and deletes them a day later", async () => {
    await checkout.harness();
    const before = chunks();
    checkout.write("packages/server/src/greeting.ts", `export const greet = (name: string) => \`bye \${name}\\n\`;`);
    expect(await checkout.harness(["lazily"], found)).toMatchObject({ stdout: "bye production\n" });
    expect(chunks()).toEqual(expect.arrayContaining(before));

    const longAgo = new Date(Date.now() - 48 * 3_600_000);
    for (const name of chunks()) utimesSync(join(dist, name), longAgo, longAgo);
    checkout.write("packages/cli/src/main.ts", "process.exitCode = 4;");
    expect(await checkout.harness([], found)).toMatchObject({ code: 4 });
    const gone = before.filter((name) => !chunks().includes(name));
    expect(gone.length).toBeGreaterThan(0);
    expect(await checkout.harness()).toMatchObject({ code: 4, stderr: "" });
  });

  it("reports the position of a syntax error and leaves the last bundle unchanged", async () => {
    await checkout.harness();
    const before = readdirSync(dist);
    checkout.write("packages/cli/src/main.ts", "\n\nlet =");
    const { code, stdout, stderr } = await checkout.harness([], found);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toContain("packages/cli/src/main.ts:3:5");
    expect(stderr).toContain("the build failed");
    expect(readdirSync(dist)).toEqual(before);
  });

  it("reports a folder that it cannot write to", async () => {
    rmSync(dist, { recursive: true, force: true });
    symlinkSync("/dev/null/nowhere", dist);
    const { code, stderr } = await checkout.harness();
    expect(code).toBe(1);
    expect(stderr).toContain(`the bundle cannot be written to ${dist}`);
  });

  it("asks for another start when the Node in use has become too old", async () => {
    await checkout.harness();
    const pretend = `data:text/javascript,Object.defineProperty(process.versions, "node", { value: "20.1.0" })`;
    const { code, stdout, stderr } = await checkout.harness([], { NODE_OPTIONS: `--import=${encodeURI(pretend)}` });
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toContain("is Node 20.1.0 now, but harness needs 24 or newer");
    expect(existsSync(join(checkout.root, ".runtime/bin/node"))).toBe(false);
    expect(await checkout.harness()).toMatchObject({ code: 0 });
  });
});
