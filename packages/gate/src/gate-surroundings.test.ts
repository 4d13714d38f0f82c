import type { Tool, ToolApproval } from "@harness/core";
import type { PermissionOutcome } from "@harness/protocol";
import {
  call,
  calling,
  commandTool,
  MemoryLog,
  MemorySession,
  memoryTools,
  probeTool,
  saying,
  usualGateSettings,
} from "@harness/testkit";
import { describe, expect, it } from "vitest";
import type { SandboxView } from "./ports/sandbox.ts";
import type { ShellGrammar } from "./ports/shell-grammar.ts";

type Setup = ConstructorParameters<typeof MemorySession>[0];

const write = (id: string, path: string) => call(id, "write", { file_path: path, content: id });
const run = (id: string, command: string) => call(id, "bash", { command });
const fetch = (id: string, url: string) => call(id, "web", { url });
const chose = (optionId: string): PermissionOutcome => ({ outcome: "selected", optionId });

/** Reaches the web. */
const web: Tool = {
  ...probeTool("web", () => ({ status: "ok", text: "a page", blocks: [] })),
  area: "web",
  effects: (args) => [{ kind: "reach", url: (args as { url: string }).url }],
};

function session(parts: ReturnType<typeof call>[][], setup: Partial<Setup> = {}) {
  const memory = new MemorySession({
    script: parts.flatMap((each) => [calling(...each), saying("done")]),
    tools: [...memoryTools(), web],
    ...setup,
    options: { permission_mode: "default", ...setup.options },
  });
  memory.ports.asker.onPermission = () => chose("allow_once");
  return memory;
}

const asked = (memory: MemorySession) => memory.ports.asker.permissions.map(({ toolCallId }) => toolCallId);
const outcomes = (memory: MemorySession) =>
  Object.fromEntries(
    memory.facts("tool_call_update").flatMap((each) => (each.outcome ? [[each.toolCallId, each.outcome]] : [])),
  );

describe("the decision that a tool receives", () => {
  async function argumentsOf(command: string, setup: Partial<Setup> = {}) {
    const seen: Pick<ToolApproval, "checked" | "sandboxed" | "roots">[] = [];
    const bash = commandTool((_args, _context, { checked, sandboxed, roots }) => {
      seen.push({ ...(checked ? { checked } : {}), sandboxed, roots });
      return { status: "ok", text: "1", blocks: [] };
    });
    const memory = session([[run("a", command)]], { ...setup, tools: [bash] });
    await memory.say("go");
    return { seen: seen[0], memory };
  }

  it("has the arguments of a read-only command, and nothing else may run", async () => {
    const { seen, memory } = await argumentsOf("git log --oneline | head -5");
    expect(seen).toMatchObject({
      checked: { commands: [{ program: "git" }, { program: "head" }], joins: ["|"] },
      sandboxed: false,
      roots: ["/work"],
    });
    expect(asked(memory)).toEqual([]);
  });

  it("has the text of any other command, with the folders that count as the workspace", async () => {
    const gateSettings = () => ({ ...usualGateSettings(), additionalDirectories: ["/srv/more"] });
    const { seen, memory } = await argumentsOf("npm test", { ports: { gateSettings } });
    expect(seen).toEqual({ sandboxed: false, roots: ["/work", "/srv/more"] });
    expect(asked(memory)).toEqual(["a"]);
  });

  it("says whether the command runs in the sandbox", async () => {
    const sandbox: SandboxView = { wanted: "auto", active: true, ready: async () => undefined };
    const { seen, memory } = await argumentsOf("npm test", {
      ports: { sandbox },
      options: { permission_mode: "auto-in-sandbox" },
    });
    expect(seen).toMatchObject({ sandboxed: true });
    expect(asked(memory)).toEqual([]);
    expect(memory.ports.audit.decisions).toMatchObject([{ by: "mode auto-in-sandbox" }]);
  });
});

describe("the sandbox at the gate", () => {
  function found(wanted: "on" | "auto", works: boolean) {
    let active = false;
    let probes = 0;
    const sandbox: SandboxView = {
      wanted,
      get active() {
        return active;
      },
      get why() {
        return works ? undefined : "bwrap is not installed.";
      },
      ready: async () => {
        probes += 1;
        active = works;
      },
    };
    return { sandbox, probes: () => probes };
  }

  it("is probed before a command is evaluated that would run in it", async () => {
    const { sandbox } = found("on", true);
    const memory = session([[run("a", "npm test")]], {
      ports: { sandbox },
      options: { permission_mode: "auto-in-sandbox" },
    });
    await memory.say("go");
    expect([asked(memory), outcomes(memory).a?.status]).toEqual([[], "ok"]);
  });

  it("row 64: is reported when it is required and missing, and nothing runs", async () => {
    const { sandbox } = found("on", false);
    const memory = session([[run("a", "npm test"), run("b", "ls")]], { ports: { sandbox } });
    await memory.say("go");
    const { a, b } = outcomes(memory);
    expect([a?.status, b?.status]).toEqual(["denied", "denied"]);
    expect(a?.text).toContain("It would run without the sandbox, which is set to `on`: bwrap is not installed.");
  });

  it("row 64: is noted in the permission request when it is preferred and missing", async () => {
    const { sandbox } = found("auto", false);
    const memory = session([[run("a", "npm test")]], { ports: { sandbox } });
    await memory.say("go");
    expect(memory.ports.asker.permissions[0]?.notes).toContainEqual({
      kind: "sandbox",
      text: "It runs without a sandbox: bwrap is not installed.",
    });
  });

  it("is not awaited by read-only commands", async () => {
    const { sandbox, probes } = found("auto", true);
    const memory = session([[run("a", "git status")]], { ports: { sandbox } });
    await memory.say("go");
    expect(probes()).toBe(0);
  });
});

describe("the shell grammar", () => {
  it("is loaded only for commands that the strict reading does not cover", async () => {
    let loads = 0;
    const grammar: ShellGrammar = {
      load: async () => {
        loads += 1;
      },
      read: () => (loads === 0 ? undefined : { commands: [], problem: "cannot be analysed" }),
    };
    const memory = session([[run("a", "ls"), run("b", "npm test")], [run("c", "echo $(x)")]], { ports: { grammar } });
    await memory.say("one");
    expect(loads).toBe(0);
    await memory.say("two");
    expect(loads).toBe(1);
    expect(memory.ports.asker.permissions.at(-1)?.reason).toBe("runs a command that cannot be analysed");
  });
});

describe("a git folder of another name", () => {
  const there = ["/work/data/HEAD", "/work/data/objects", "/work/data/refs"];
  const paths = { real: (path: string) => path, exists: (path: string) => there.includes(path) };

  it.each([
    [write("a", "data/config"), "writes to a protected file: data/config"],
    [write("a", "data/hooks/pre-commit"), "writes to a protected file: data/hooks/pre-commit"],
    [run("a", "tee data/config"), "runs a command that writes into a git folder"],
    [run("a", "cp x data/hooks/post-checkout"), "runs a command that writes into a git folder"],
  ])("is asked about in every mode: %j", async (part, reason) => {
    const memory = session([[part]], { ports: { paths }, options: { permission_mode: "allow-all" } });
    await memory.say("go");
    expect(memory.ports.asker.permissions.map((each) => each.reason)).toEqual([reason]);
  });

  it("is assumed for no other folder", async () => {
    const parts = [write("a", "data/readme"), write("b", "src/config"), run("c", "echo x > src/hooks/a.ts")];
    const memory = session([parts], { ports: { paths }, options: { permission_mode: "allow-all" } });
    await memory.say("go");
    expect(asked(memory)).toEqual([]);
  });
});

describe("a git command in another folder", () => {
  const parts = [run("a", "cd src && git log"), run("b", "git -C lib diff"), run("c", "cd lib/deep && git status")];
  const there = ["/work/lib/.git"];

  it("is asked about when that may be a repository of its own, or this is unknown", async () => {
    const paths = { real: (path: string) => path, exists: (path: string) => there.includes(path) };
    const known = session([parts], { ports: { paths } });
    await known.say("go");
    expect(asked(known)).toEqual(["b", "c"]);
    const unknown = session([parts], { ports: { paths: { real: (path: string) => path } } });
    await unknown.say("go");
    expect(asked(unknown)).toEqual(["a", "b", "c"]);
  });
});

describe("a file that may hold secrets", () => {
  const parts = [[call("a", "read", { file_path: ".env" })], [fetch("b", "https://a.example/"), run("c", "npm test")]];
  const rules = { allow: ["web", "read(.env)", "bash(npm test)"], deny: [] };

  it("makes network requests ask for the rest of the session once it was read, whatever rules allow", async () => {
    const memory = session([[fetch("z", "https://a.example/")], ...parts], { options: { rules } });
    await memory.say("zero");
    await memory.say("one");
    expect(asked(memory)).toEqual([]);
    await memory.say("two");
    expect(asked(memory)).toEqual(["b"]);
    expect(memory.ports.asker.permissions[0]?.reason).toBe(
      "reaches a.example, after a file that may hold secrets was read in this session",
    );
  });

  it("is remembered in a resumed session when a person allowed reading it", async () => {
    const log = new MemoryLog();
    const before = session([[call("a", "read", { file_path: ".env" })]], { log });
    await before.say("one");
    const after = session([[fetch("b", "https://a.example/")]], { log, options: { rules } });
    await after.say("two");
    expect(asked(after)).toEqual(["b"]);
  });

  it.each([
    [
      "in auto mode",
      { permission_mode: "allow-all" as const, rules: { allow: [], deny: [] } },
      call("a", "read", { file_path: ".env" }),
    ],
    ["by a rule", { rules: { allow: ["read(.env)"], deny: [] } }, call("a", "read", { file_path: ".env" })],
    ["by a command", { permission_mode: "allow-all" as const, rules: { allow: [], deny: [] } }, run("a", "cat .env")],
  ])("is remembered in a resumed session when it was read unasked %s", async (_name, options, read) => {
    const log = new MemoryLog();
    const before = session([[read]], { log, options });
    await before.say("one");
    expect(asked(before)).toEqual([]);
    const after = session([[fetch("b", "https://a.example/")]], { log, options: { rules } });
    await after.say("two");
    expect(asked(after)).toEqual(["b"]);
  });

  it("changes nothing when reading it was denied", async () => {
    const memory = session(parts, { options: { rules: { allow: ["web", "bash"], deny: [] } } });
    memory.ports.asker.onPermission = () => chose("reject_once");
    await memory.say("one");
    await memory.say("two");
    expect(asked(memory)).toEqual(["a"]);
  });
});

describe("a change of the agent mode", () => {
  it("withdraws an open request and evaluates it again", async () => {
    const memory = session([[write("a", "x")]]);
    memory.ports.asker.onPermission = () => undefined;
    memory.prompt("go");
    await memory.untilFact((fact) => fact.sessionUpdate === "permission_requested");
    memory.session.setConfig({ mode: "planning" });
    await memory.session.idle();
    expect(memory.facts("permission_resolved")).toMatchObject([{ outcome: { outcome: "cancelled" }, by: "harness" }]);
    expect(outcomes(memory).a).toMatchObject({ status: "denied", text: expect.stringContaining("planning mode") });
    expect(memory.ports.audit.decisions).toMatchObject([{ verdict: "denied", by: "agent mode" }]);
  });
});

describe("an answer that comes too late", () => {
  it("is ignored when a new mode denies the call meanwhile", async () => {
    const memory = session([[write("a", ".env")]]);
    const late = Promise.withResolvers<PermissionOutcome>();
    memory.ports.asker.onPermission = () => late.promise;
    memory.prompt("go");
    await memory.untilFact((fact) => fact.sessionUpdate === "permission_requested");
    memory.session.setConfig({ permissionMode: "deny" });
    late.resolve(chose("allow_once"));
    await memory.session.idle();
    expect(memory.facts("permission_resolved").map(({ outcome }) => outcome.outcome)).toEqual(["cancelled"]);
    expect(outcomes(memory).a?.status).toBe("denied");
  });
});

describe("the home directory", () => {
  const written = async (home: string | undefined, command: string) => {
    const paths = { real: (path: string) => path, ...(home === undefined ? {} : { home }) };
    const memory = session([[run("a", command)]], { ports: { paths } });
    await memory.say("go");
    const [request] = memory.ports.asker.permissions;
    return {
      notes: request?.notes?.filter(({ kind }) => kind === "writes").map(({ text }) => text),
      reason: request?.reason,
    };
  };

  it("is the person's own where it is known", async () => {
    expect((await written("/home/me", "tee ~/notes $HOME/more")).notes).toEqual(["/home/me/notes, /home/me/more"]);
    expect((await written(undefined, "tee ~/notes")).notes).toEqual(["~/notes"]);
    expect((await written("/work", "tee ~/notes")).notes).toEqual(["notes"]);
  });

  it("has protected files, and cannot be removed unasked", async () => {
    expect((await written("/home/me", "tee ~/.bashrc")).reason).toContain("a protected file");
    expect((await written("/home/me", "rm -rf ~")).reason).toContain("home");
    expect((await written("/home/me", "rm -rf /home/me")).reason).toContain("home");
  });
});

describe("the undo notice", () => {
  const checkpoints = {
    hasAny: () => true,
    take: async () => ({ checkpointId: "c" }),
    compare: async () => ({ files: [], moreFiles: 0, added: 0, removed: 0 }),
    diff: async () => ({ files: [], changedFiles: 0, added: 0, removed: 0 }),
    revert: async () => ({ files: [] }),
  };
  const notes = (memory: MemorySession) =>
    memory.ports.asker.permissions.map((request) =>
      request.notes?.filter(({ kind }) => kind === "undo").map(({ text }) => text),
    );

  it("says what is at stake that /undo does not revert, and nothing where it reverts all", async () => {
    const calls = [
      write("a", "x"),
      run("b", "npm test"),
      write("c", "/srv/x"),
      write("d", ".env"),
      write("e", ".npmrc"),
      run("f", "curl -s -o /dev/null 127.0.0.1:8080"),
      run("g", "curl -s https://example.com"),
      run("h", "cp a /srv/b"),
    ];
    const memory = session([calls], { ports: { checkpoints } });
    await memory.say("go");
    expect(notes(memory)).toEqual([
      [],
      [],
      ["/undo cannot revert this: the file is outside the workspace."],
      ["/undo cannot revert this: the file belongs to git, or may hold secrets."],
      ["/undo cannot revert this: the file belongs to git, or may hold secrets."],
      [],
      ["/undo restores files in this folder, but nothing else that it does."],
      ["/undo restores files in this folder, but nothing else that it does."],
    ]);
  });

  it.each([
    [true, "git push --force"],
    [true, "git -C . push origin main"],
    [true, "sudo apt-get install x"],
    [true, "apt-get -y install x"],
    [true, "pip install x"],
    [true, "python3 -m pip install x"],
    [true, "npm install -g x"],
    [true, "npm publish"],
    [true, "docker compose up"],
    [true, "docker compose -f x.yml up -d"],
    [true, "docker run --rm alpine"],
    [true, "kubectl apply -f x.yaml"],
    [true, "systemctl --user restart x"],
    [true, "gh pr create --title x"],
    [true, "terraform apply"],
    [true, "true && rm -rf ~"],
    [true, "make; git push"],
    [false, "git commit -m push"],
    [false, "git reset --hard"],
    [false, "npm install"],
    [false, "npm ls -g"],
    [false, "docker ps -a"],
    [false, "docker compose -f x.yml ps"],
    [false, "docker compose logs -f web"],
    [false, "kubectl get pods"],
    [false, "systemctl status x"],
    [false, "cargo build"],
    [false, "rm -rf dist"],
    [false, "make"],
  ])("for a command that acts beyond files is %s: %s", async (isSaid, command) => {
    const memory = session([[run("a", command)]], { ports: { checkpoints } });
    await memory.say("go");
    const said = isSaid ? ["/undo restores files in this folder, but nothing else that it does."] : [];
    expect(notes(memory).flat()).toEqual(said);
  });

  it("is absent where no checkpoint is kept", async () => {
    const gateSettings = () => ({ ...usualGateSettings(), checkpoints: false });
    const memory = session([[write("a", "/srv/x")]], { ports: { checkpoints, gateSettings } });
    await memory.say("go");
    expect(notes(memory)).toEqual([[]]);
  });
});

describe("a file whose name looks like another", () => {
  it("is marked in the permission request, as hosts and programs are", async () => {
    const memory = session([[write("a", "src/раckage.json"), write("b", "src/a\u200b.ts"), write("c", "src/größe")]]);
    await memory.say("go");
    expect(memory.ports.asker.permissions.map(({ notes }) => notes)).toEqual([
      [
        {
          kind: "warning",
          text: 'the name "/work/src/раckage.json" contains letters that only look like others: U+0440, U+0430',
        },
      ],
      [{ kind: "warning", text: "contains invisible characters: U+200B" }],
      [],
    ]);
  });
});
