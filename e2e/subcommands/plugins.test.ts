// Tools, commands and plugins on the command line, by real processes.
import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type ModelServer, startModelServer, turns } from "@harness/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { TestHome } from "../../packages/cli/test/harness-process.ts";

let server: ModelServer;
let place: TestHome;
beforeAll(async () => {
  server = await startModelServer({ scenario: { turns: [turns.say("Hello.", { repeat: "always" })] } });
  place = new TestHome(server.environment);
});
afterAll(async () => {
  await server.close();
  place.remove();
});

function program(folder: string, name: string, text: string): string {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, name);
  writeFileSync(path, text);
  chmodSync(path, 0o755);
  return path;
}

describe("a new plugin", () => {
  it("is written, and tried with one more command", async () => {
    const made = await place.run(["plugin", "new", "tool", "lines", "--lang", "node"]);
    expect(made).toMatchObject({ code: 0, stderr: "" });
    const path = /Written: (.+)/.exec(made.stdout)?.[1] ?? "";
    const tested = await place.run(["plugin", "test", path]);
    expect(tested).toMatchObject({ code: 0, stdout: expect.stringContaining("All checks passed.") });
    const given = await place.run(["plugin", "test", path, "--input", '{"path":"/no/such"}', "--json"]);
    const { checks } = JSON.parse(given.stdout) as { checks: { status: string; detail?: string }[] };
    expect(checks.find(({ status }) => status === "failed")?.detail).toContain("exit code 1: It did not work");
  });

  it("never overwrites an existing one, and needs a name that can be called", async () => {
    await place.run(["plugin", "new", "tool", "twice"]);
    expect(await place.run(["plugin", "new", "tool", "twice"])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("twice already exists: nothing was written."),
    });
    expect(await place.run(["plugin", "new", "tool", "../x"])).toMatchObject({ code: 2 });
    expect(await place.run(["plugin", "new", "gadget", "x"])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("harness plugin new tool|hook|command|provider NAME"),
    });
  });

  it("belongs to every project with --own, and a hook to its stage", async () => {
    const tool = await place.run(["plugin", "new", "tool", "mine", "--own"]);
    expect(tool.stdout).toContain(join(place.home, "tools/mine"));
    const hook = await place.run(["plugin", "new", "hook", "20-late", "--stage", "receive"]);
    expect(hook.stdout).toContain(".harness/hooks.d/receive/20-late");
  });
});

describe("the list of tools", () => {
  it("has those of the session itself and of MCP servers, which it starts, and names the servers whose tools are missing", async () => {
    const everything = join(
      import.meta.dirname,
      "../../node_modules/@modelcontextprotocol/server-everything/dist/index.js",
    );
    const servers = {
      all: { command: process.execPath, args: [everything, "stdio"] },
      gone: { command: join(place.cwd, "no-such-server") },
    };
    mkdirSync(place.home, { recursive: true });
    writeFileSync(join(place.home, "mcp.json"), JSON.stringify({ mcpServers: servers }));
    const listed = await place.run(["tools"]);
    rmSync(join(place.home, "mcp.json"));
    expect(listed.code).toBe(0);
    expect(listed.stdout).toMatch(/^question +built in +steers +Ask/m);
    expect(listed.stdout).toMatch(/^skill +built in /m);
    expect(listed.stdout).toMatch(/^tool_search +built in /m);
    expect(listed.stdout).toMatch(/^mcp__all__echo +MCP server all +/m);
    expect(listed.stderr).toContain("The tools of the MCP server gone are missing: ");
  });
});

describe("the test of a plugin", () => {
  const schema = `{"name":"bad","description":"Bad.","input_schema":{"type":"object","properties":{}}}`;
  it.each<[string, string, string]>([
    ["tools", "#!/bin/sh\necho hello\n", "its --schema did not print a JSON object"],
    ["tools", "#!/bin/sh\r\n", "Windows line break"],
    ["tools", "#!/bin/sh\nkill -9 $$\n", "it was killed by SIGKILL"],
    ["hooks.d/receive", "#!/bin/sh\necho hello\n", "it printed something other than a JSON object: hello"],
    ["hooks.d/later", "#!/bin/sh\ncat\n", "there is no stage later"],
    ["commands", "#!/bin/sh\n", "it printed nothing: print one line that says what it is"],
    [
      "providers",
      "#!/bin/sh\ncase $1 in --ready) exit 1;; --describe) echo Bad;; esac\n",
      "does not say on stderr what it needs",
    ],
  ])("finds what is wrong with a program in %s (%#)", async (folder, text, words) => {
    const path = program(join(place.cwd, ".harness", folder), "bad", text);
    const end = await place.run(["plugin", "test", path]);
    expect(end).toMatchObject({ code: 1, stdout: expect.stringContaining(words) });
    expect(end.stdout).toContain("FAILED");
  });

  it("lets a plain tool pass that takes no notice of arguments that harness never sends", async () => {
    const answers = `--schema) echo '${schema}' ;; --describe) echo Bad ;; --exec) echo hi ;;`;
    const path = program(join(place.cwd, ".harness/tools"), "bad", `#!/bin/sh\ncase $1 in ${answers} esac\n`);
    const end = await place.run(["plugin", "test", path]);
    expect(end).toMatchObject({ code: 0, stdout: expect.stringMatching(/^warning .* not JSON: exit code 0: /m) });
  });

  it("says what to do where it is not known what a program should be", async () => {
    const path = program(place.cwd, "somewhere", "#!/bin/sh\necho Somewhere\n");
    expect(await place.run(["plugin", "test", path])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("use --kind to say what it is"),
    });
    expect(await place.run(["plugin", "test", path, "--kind", "command"])).toMatchObject({ code: 0 });
  });
});

describe("a word of the command line", () => {
  it("runs a program of this name, with its words, stdin and exit code, and the window has it as a slash command", async () => {
    program(
      join(place.home, "commands"),
      "greet",
      '#!/bin/sh\n[ "$1" = --describe ] && { echo Greets.; exit; }\nread name\necho "Hello $name, $2 $1"\necho oh >&2\nexit 3\n',
    );
    expect(await place.run(["greet", "a b", "--why"], { stdin: "Ann\n" })).toMatchObject({
      code: 3,
      stdout: "Hello Ann, --why a b\n",
      stderr: "oh\n",
    });
    const slash = await place.run(["run", "/greet", "x"], { stdin: "" });
    expect(slash.stdout).toContain("Hello");
    expect(slash.stdout).toContain("[exit code 3]");
    program(join(place.home, "commands"), "ends", "#!/bin/sh\nprintf half; kill -9 $$\n");
    expect(await place.run(["ends"])).toMatchObject({
      code: 137,
      stdout: "half",
      stderr: "harness: [ended by SIGKILL (it was stopped by force, often because memory ran out)]\n",
    });
  });

  it("of harness is replaced by a program of the person's own, and never by one of a project", async () => {
    program(join(place.cwd, ".harness/commands"), "version", "#!/bin/sh\necho project\n");
    expect((await place.run(["version"])).stdout).toContain("harness ");
    program(join(place.home, "commands"), "help", "#!/bin/sh\necho my help\n");
    expect((await place.run(["help"])).stdout).toBe("my help\n");
    expect((await place.run(["--help"])).stdout).toContain("Usage: harness [FLAGS]");
  });

  it("that is the id of a session goes on with it, and agent stands for a run", async () => {
    const first = await place.run(["agent", "one", "--json"]);
    const { sessionId } = JSON.parse(first.stdout.trim().split("\n").at(-1) ?? "{}") as { sessionId: string };
    expect(first.code).toBe(0);
    expect(await place.run([sessionId, "two"])).toMatchObject({ code: 0, stdout: "Hello.\n" });
    const shown = await place.run(["session", "show", sessionId]);
    expect(shown.stdout).toMatch(/> one\n\nHello\.\n\n> two\n\nHello\./);
    expect((await place.run(["session", "list"])).stdout).toContain(sessionId);
    const dir = (await place.run(["session", "dir", sessionId])).stdout.trim();
    expect(readFileSync(join(dir, "log.jsonl"), "utf8")).toContain("two");
  });
});

it("the list of tools says where each is from, and why an executable is none", async () => {
  program(join(place.home, "tools"), "broken", "#!/bin/sh\necho hello\n");
  const { stdout, stderr } = await place.run(["tools"]);
  expect(stdout).toMatch(/bash +built in +changes/);
  expect(stdout).toMatch(/mine +you: .*mine +looks/);
  expect(stderr).toContain("broken is not used as a tool");
});
