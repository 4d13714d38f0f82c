import type { Effect, PermissionMode } from "@harness/protocol";
import { describe, expect, it } from "vitest";
import type { Grant } from "./answers/grant.ts";
import { viewCommand } from "./command/command-view.ts";
import { decide, type Verdict } from "./decide.ts";
import type { ToolCategory } from "./gate-call.ts";
import type { GateQuery } from "./gate-query.ts";
import type { ResolvedEffect } from "./resolved-effect.ts";
import { parseRule, type Rule, ruleFromText } from "./rules/rule.ts";

const links: Record<string, string> = { "/w/out": "/etc/motd", "/w/git": "/w/.git/config", "/w/in": "/w/src" };

function rules(decision: Rule["decision"], texts: readonly string[] = []): Rule[] {
  return texts.map((text) => {
    const rule = parseRule(text);
    if ("problem" in rule) throw new Error(rule.problem);
    return ruleFromText(rule, decision, { scope: "run", where: "a test" });
  });
}

function resolved(effect: Effect): ResolvedEffect {
  if (effect.kind === "run") {
    return {
      effect,
      command: viewCommand(effect, { roots: ["/w"], prefixes: null, real: (path) => links[path] ?? path }, effect),
    };
  }
  return "path" in effect ? { effect, realPath: links[effect.path] ?? effect.path } : { effect };
}

type Case = {
  tool?: string;
  category?: ToolCategory;
  effects?: Effect[];
  permissionMode?: PermissionMode;
  allow?: string[];
  deny?: string[];
  grants?: Grant[];
  alone?: boolean;
  inSandbox?: boolean;
  denyUnreadable?: boolean;
  foundInText?: boolean;
  isStaged?: boolean;
};

function verdict({
  tool = "edit",
  category = "destructive",
  effects = [],
  permissionMode = "default",
  ...rest
}: Case): Verdict {
  const query: GateQuery = {
    tool,
    category,
    roots: ["/w"],
    strict: false,
    acceptsReaders: true,
    sawSecret: false,
    permissionMode,
    effects: effects.map(resolved),
    rules: [...rules("allow", rest.allow), ...rules("deny", rest.deny)],
    grants: rest.grants ?? [],
    everythingAsks: rest.denyUnreadable ? "harness asks about everything" : undefined,
    notOffered: undefined,
    hookDenial: undefined,
    sandbox: rest.inSandbox ? { wanted: "on", active: true } : { wanted: "off", active: false },
    canAsk: !rest.alone,
    foundInText: rest.foundInText ?? false,
    movedRoots: [],
    isStaged: rest.isStaged ?? false,
  };
  return decide(query);
}

const read = (path: string): Case => ({ tool: "read", category: "readOnly", effects: [{ kind: "read", path }] });
const write = (path: string): Case => ({ tool: "write", effects: [{ kind: "write", path }] });
const run = (command: string): Case => ({ tool: "bash", effects: [{ kind: "run", command, cwd: "/w" }] });
const fetch = (url: string): Case => ({ tool: "fetch", category: "readOnly", effects: [{ kind: "reach", url }] });

type Row = [name: string, of: Case, decision: Verdict["decision"], risk?: Verdict["risk"]];

describe("a secret that a contained command would show to the model", () => {
  it.each([
    "cat server.pem id_rsa credentials.json",
    "cat a/b/c/d/.env",
    "npm test; cat .env",
    "openssl rsa -in a/b/c/server.key",
    "sh -c 'cat .netrc'",
    "docker run --env-file .env x",
    "cp x .env",
  ])("is asked about: %s", (command) => {
    const inSandbox = { permissionMode: "auto-in-sandbox", inSandbox: true } as const;
    expect(verdict({ ...run(command), ...inSandbox }).decision).toBe("ask");
    expect(verdict({ ...run("npm test"), ...inSandbox }).decision).toBe("allow");
  });
});

describe("a call without rules", () => {
  const rows: Row[] = [
    ["reading in the workspace", read("/w/a.ts"), "allow", "safe"],
    ["reading the workspace itself", read("/w"), "allow", "safe"],
    ["reading outside", read("/etc/hosts"), "ask", "medium"],
    ["reading a folder whose name only begins like the workspace", read("/work2/a"), "ask", "medium"],
    ["reading out through a link", read("/w/out"), "ask", "medium"],
    ["reading in through a link", read("/w/in"), "allow", "safe"],
    ["reading .env", read("/w/.env"), "ask", "high"],
    ["reading .env.local", read("/w/.env.local"), "ask", "high"],
    ["reading .env.example", read("/w/.env.example"), "allow", "safe"],
    ["reading a private key", read("/w/certs/server.pem"), "ask", "high"],
    ["reading id_ed25519", read("/w/id_ed25519"), "ask", "high"],
    ["reading a source file called id_map.ts", read("/w/id_map.ts"), "allow", "safe"],
    ["reading credentials.json", read("/w/credentials.json"), "ask", "high"],
    ["reading a source file called credentials.ts", read("/w/credentials.ts"), "allow", "safe"],
    ["reading .npmrc", read("/w/.npmrc"), "ask", "high"],
    ["reading .git/config", read("/w/.git/config"), "allow", "safe"],
    ["a reading tool that touches nothing", { category: "readOnly" }, "allow", "safe"],
    ["a signal that touches nothing", { category: "signal" }, "allow", "safe"],
    ["a changing tool that touches nothing known", { category: "destructive" }, "ask", "medium"],
    [
      "a changing tool that only says it reads",
      { ...write("/w/a"), effects: [{ kind: "read", path: "/w/a" }] },
      "ask",
      "safe",
    ],
    ["writing in the workspace", write("/w/a.ts"), "ask", "medium"],
    ["writing outside", write("/tmp/a"), "ask", "high"],
    ["writing into .git", write("/w/.git/hooks/pre-commit"), "ask", "high"],
    ["writing into .harness", write("/w/.harness/tools/x"), "ask", "high"],
    ["writing .gitignore", write("/w/.gitignore"), "ask", "medium"],
    ["writing .env", write("/w/.env"), "ask", "high"],
    ["a command that only looks", run("git status"), "allow", "safe"],
    ["a command", run("npm test"), "ask", "medium"],
    ["rm -rf", run("rm -rf dist"), "ask", "high"],
    ["sudo", run("sudo ls"), "ask", "high"],
    ["a request", fetch("https://example.com/a"), "ask", "medium"],
    ["spending", { effects: [{ kind: "spend", what: "2 USD" }] }, "ask", "medium"],
    [
      "reading and writing: the worse counts",
      {
        effects: [
          { kind: "read", path: "/w/a" },
          { kind: "write", path: "/tmp/a" },
        ],
      },
      "ask",
      "high",
    ],
  ];
  it.each(rows)("%s", (_name, of, decision, risk) => {
    expect(verdict(of)).toMatchObject({ decision, ...(risk ? { risk } : {}) });
  });
});

describe("deny rules", () => {
  const rows: Row[] = [
    ["beat what is harmless", { ...read("/w/a"), deny: ["read"] }, "deny"],
    ["beat allow rules", { ...write("/w/a"), deny: ["write"], allow: ["write"] }, "deny"],
    ["beat allow-all", { ...run("npm publish"), deny: ["bash(npm publish)"], permissionMode: "allow-all" }, "deny"],
    [
      "beat grants",
      { ...write("/w/a"), deny: ["write(a)"], grants: [{ tool: "write", kind: "write", folder: "/w" }] },
      "deny",
    ],
    ["leave others alone", { ...read("/w/a"), deny: ["write", "bash(git)"] }, "allow"],
    ["mean any tool with a star", { ...read("/w/secret/a"), deny: ["*(secret/**)"] }, "deny"],
    ["look through links", { ...read("/w/in"), deny: ["read(src)"] }, "deny"],
    ["look at the name as well", { ...read("/w/in"), deny: ["read(in)"] }, "deny"],
    ["find a command behind another", { ...run("ls && git push"), deny: ["bash(git push)"] }, "deny"],
  ];
  it.each(rows)("%s", (_name, of, decision) => {
    expect(verdict(of)).toMatchObject({ decision, ...(decision === "deny" ? { by: "rule" } : {}) });
  });

  it("make every call ask when they could not be read", () => {
    expect(verdict({ ...read("/w/a"), denyUnreadable: true }).decision).toBe("ask");
    expect(
      verdict({ ...write("/w/a"), denyUnreadable: true, permissionMode: "allow-all", allow: ["write"] }).decision,
    ).toBe("ask");
    expect(verdict({ ...read("/w/a"), denyUnreadable: true, alone: true }).decision).toBe("deny");
  });
});

describe("allow rules and grants", () => {
  const grantOnSrc: Grant = { tool: "write", kind: "write", folder: "/w/src" };
  const grantOnFile: Grant = { tool: "write", kind: "write", file: "/w/a" };
  const grantOnTest: Grant = { tool: "bash", kind: "run", command: "npm test", cwd: "/w" };
  const rows: Row[] = [
    ["a tool", { ...write("/w/a"), allow: ["write"] }, "allow"],
    ["another tool", { ...write("/w/a"), allow: ["edit"] }, "ask"],
    ["a folder", { ...write("/w/src/a/b"), allow: ["write(src/**)"] }, "allow"],
    ["outside the folder", { ...write("/w/lib/a"), allow: ["write(src/**)"] }, "ask"],
    ["out of the folder through a link", { ...write("/w/out"), allow: ["write(out)"] }, "ask"],
    [
      "every effect must be covered",
      {
        effects: [
          { kind: "write", path: "/w/src/a" },
          { kind: "write", path: "/w/b" },
        ],
        allow: ["edit(src/**)"],
      },
      "ask",
    ],
    [
      "reading needs no cover",
      {
        effects: [
          { kind: "read", path: "/w/b" },
          { kind: "write", path: "/w/src/a" },
        ],
        allow: ["edit(src/**)"],
      },
      "allow",
    ],
    ["not outside the workspace by the whole tool", { ...write("/tmp/a"), allow: ["write", "edit", "*"] }, "ask"],
    ["outside the workspace by a pattern", { ...write("/tmp/a"), allow: ["write(/tmp/**)"] }, "allow"],
    ["outside the workspace by a name", { ...write("/tmp/a"), allow: ["*(/tmp/a)"] }, "allow"],
    ["a look outside by the whole tool", { ...read("/tmp/a"), allow: ["read"] }, "allow"],
    ["a command prefix", { ...run("npm test -- --run"), allow: ["bash(npm test)"] }, "allow"],
    ["not a longer word", { ...run("npm testing"), allow: ["bash(npm test)"] }, "ask"],
    ["not a chain", { ...run("npm test; rm x"), allow: ["bash(npm test)"] }, "ask"],
    ["a chain, by the whole tool", { ...run("npm test; ls"), allow: ["bash"] }, "allow"],
    ["a command over several lines", { ...run("npm \\\n  test \\\n  -x"), allow: ["bash(npm test)"] }, "allow"],
    ["a program in the folder over several lines", { ...run("./a \\\n  b"), allow: ["bash(./a b)"] }, "allow"],
    ["not what stands behind a comment", { ...run("./a # \\\nrm x"), allow: ["bash(./a)"] }, "ask"],
    ["not what stands behind a backslash", { ...run("./a \\\\\nrm x"), allow: ["bash(./a)"] }, "ask"],
    ["never what is always asked", { ...write("/w/.git/config"), allow: ["write", "write(.git/**)"] }, "ask"],
    ["never sudo", { ...run("sudo ls"), allow: ["bash", "bash(sudo ls)"] }, "ask"],
    ["a secret that is named", { ...read("/w/.env"), allow: ["read(.env)"] }, "allow"],
    ["a secret only in a folder", { ...read("/w/src/.env"), allow: ["read(src/**)", "read"] }, "ask"],
    ["a secret in a folder without stars", { ...read("/w/src/.env"), allow: ["read(src)", "read(src/)"] }, "ask"],
    ["a secret in a folder by its whole path", { ...read("/w/src/.env"), allow: ["read(/w/src)"] }, "ask"],
    ["a secret by its whole path", { ...read("/w/src/.env"), allow: ["read(/w/src/.env)"] }, "allow"],
    ["a grant on a file", { ...write("/w/a"), grants: [grantOnFile] }, "allow"],
    ["a grant on a file, and what is below", { ...write("/w/a/b"), grants: [grantOnFile] }, "ask"],
    ["a host", { ...fetch("https://docs.example.com/x"), allow: ["fetch(*.example.com)"] }, "allow"],
    ["a changing tool without effects", { tool: "think", allow: ["think"] }, "allow"],
    ["a grant on a folder", { ...write("/w/src/deep/a"), grants: [grantOnSrc] }, "allow"],
    ["a grant elsewhere", { ...write("/w/lib/a"), grants: [grantOnSrc] }, "ask"],
    ["a grant of another tool", { ...write("/w/src/a"), tool: "edit", grants: [grantOnSrc] }, "ask"],
    ["a grant and a secret", { ...write("/w/src/.env"), grants: [grantOnSrc] }, "ask"],
    ["a grant and a protected file", { ...write("/w/src/.git/x"), grants: [grantOnSrc] }, "ask"],
    ["a grant on exactly this command", { ...run("npm test"), grants: [grantOnTest] }, "allow"],
    ["a grant on another command", { ...run("npm test --all"), grants: [grantOnTest] }, "ask"],
  ];
  it.each(rows)("%s", (_name, of, decision) => {
    expect(verdict(of).decision).toBe(decision);
  });
});

describe("permission modes", () => {
  const rows: Row[] = [
    ["review keeps edits beside it", { ...write("/w/a"), permissionMode: "review", isStaged: true }, "allow"],
    ["review asks about what writes itself", { ...write("/w/a"), permissionMode: "review" }, "ask"],
    ["review asks outside", { ...write("/tmp/a"), permissionMode: "review", isStaged: true }, "ask"],
    [
      "review alone keeps edits for later",
      { ...write("/w/a"), permissionMode: "review", isStaged: true, alone: true },
      "allow",
    ],
    ["review alone denies what writes itself", { ...write("/w/a"), permissionMode: "review", alone: true }, "deny"],
    ["accept-edits writes in the workspace", { ...write("/w/a"), permissionMode: "accept-edits" }, "allow"],
    ["accept-edits does not write outside", { ...write("/tmp/a"), permissionMode: "accept-edits" }, "ask"],
    ["accept-edits does not write secrets", { ...write("/w/.env"), permissionMode: "accept-edits" }, "ask"],
    ["accept-edits does not write into .git", { ...write("/w/.git/x"), permissionMode: "accept-edits" }, "ask"],
    ["accept-edits runs nothing", { ...run("npm test"), permissionMode: "accept-edits" }, "ask"],
    ["allow-all writes", { ...write("/w/a"), permissionMode: "allow-all" }, "allow"],
    ["allow-all asks before it writes outside", { ...write("/tmp/a"), permissionMode: "allow-all" }, "ask"],
    [
      "allow-all writes outside where a rule names the place",
      { ...write("/tmp/a"), allow: ["write(/tmp/**)"], permissionMode: "allow-all" },
      "allow",
    ],
    [
      "allow-all asks before it writes outside under a rule that names only the tool",
      { ...write("/tmp/a"), allow: ["write"], permissionMode: "allow-all" },
      "ask",
    ],
    ["allow-all runs", { ...run("rm -rf dist"), permissionMode: "allow-all" }, "allow"],
    ["allow-all asks before it writes into .git", { ...write("/w/.git/x"), permissionMode: "allow-all" }, "ask"],
    [
      "allow-all asks before it writes into .git through a link",
      { ...write("/w/git"), permissionMode: "allow-all" },
      "ask",
    ],
    ["allow-all asks before sudo", { ...run("sudo make install"), permissionMode: "allow-all" }, "ask"],
    ["allow-all asks before a forced push", { ...run("git push -f"), permissionMode: "allow-all" }, "ask"],
    ["deny reads in the workspace", { ...read("/w/a"), permissionMode: "deny" }, "allow"],
    ["deny denies what would be asked", { ...write("/w/a"), permissionMode: "deny" }, "deny"],
    ["deny keeps to allow rules", { ...run("npm test"), permissionMode: "deny", allow: ["bash(npm test)"] }, "allow"],
    ["no person: denied", { ...write("/w/a"), alone: true }, "deny"],
    ["no person: allowed by rule", { ...write("/w/a"), alone: true, allow: ["write"] }, "allow"],
    ["no person: read", { ...read("/w/a"), alone: true }, "allow"],
    [
      "no person: always asked means denied, in auto too",
      { ...run("sudo ls"), alone: true, permissionMode: "allow-all" },
      "deny",
    ],
  ];
  it.each(rows)("%s", (_name, of, decision) => {
    expect(verdict(of).decision).toBe(decision);
  });
});

describe("reasons", () => {
  it.each([
    [write("/w/src/a.ts"), "writes src/a.ts"],
    [write("/tmp/a"), "writes outside the workspace: /tmp/a"],
    [read("/w/out"), "reads outside the workspace: /etc/motd"],
    [read("/w/.env"), "reads .env, which may hold secrets"],
    [write("/w/in"), "writes src (through a link)"],
    [run("sudo ls"), "runs a command that runs with the rights of another user"],
    [fetch("https://user@Example.com:8080/x"), "reaches example.com:8080"],
    [{ ...write("/w/a"), deny: ["write(a)"] }, "is denied by the rule `write(a)`"],
  ])("%j", (of, reason) => {
    expect(verdict(of as Case).reason).toBe(reason);
  });
});

describe("a call that is fully known only when it runs", () => {
  const hidden = { deny: ["read(secrets/**)", "read(private.txt)"] };
  const push = { deny: ["bash(git push)"], permissionMode: "allow-all" as const };
  it.each<[string, Case, Verdict["decision"]]>([
    ["a pattern that may stand for what is denied", { ...run("cat priv*"), ...hidden }, "ask"],
    ["a folder that may be one", { ...run("cat secret?/a"), ...hidden }, "ask"],
    ["a search of all", { ...run("grep -rn x"), ...hidden }, "ask"],
    ["with ripgrep", { ...run("rg x ."), ...hidden, permissionMode: "allow-all" }, "ask"],
    ["of a history", { ...run("git show HEAD:private.txt"), ...hidden }, "ask"],
    ["with patches", { ...run("git log -p"), ...hidden }, "ask"],
    ["a list of commits", { ...run("git log --oneline"), ...hidden }, "allow"],
    ["names of files", { ...run("ls *.txt && find . -name 'p*'"), ...hidden }, "allow"],
    ["another file", { ...run("cat README.md"), ...hidden }, "allow"],
    ["another folder", { ...run("grep -rn x src"), deny: ["read(secrets/**)"] }, "allow"],
    ["secrets are passed over anyway", { ...run("rg x"), deny: ["read(.env)"] }, "allow"],
    ["in allow-all a word that may be the denied one", { ...run('git "$X" origin'), ...push }, "ask"],
    ["or words before it", { ...run('git "$OPTIONS" push'), ...push }, "ask"],
    ["a word behind it", { ...run('git status "$X"'), ...push }, "allow"],
    ["another program", { ...run('npm "$X"'), ...push }, "allow"],
  ])("is decided: %s", (_name, of, decision) => {
    expect(verdict(of).decision).toBe(decision);
  });

  it("is denied with the name of the rule", () => {
    expect(verdict({ ...run("cat priv*"), ...hidden }).reason).toBe(
      "runs a command that may read what the rule `read(private.txt)` covers",
    );
  });
});

describe("a call that was found in text", () => {
  const quoted = (of: Case): Case => ({ ...of, foundInText: true });
  const covered = { allow: ["bash(npm test)", "write", "read"], permissionMode: "allow-all" as const };

  it.each<[string, Case, Verdict["decision"]]>([
    ["reading in the workspace", quoted(read("/w/a.ts")), "allow"],
    ["reading outside, with a rule", quoted({ ...read("/etc/hosts"), ...covered }), "ask"],
    ["a reader that reaches the web", quoted({ ...fetch("https://a.example/"), permissionMode: "allow-all" }), "ask"],
    ["writing in allow-all, with a rule", quoted({ ...write("/w/a.ts"), ...covered }), "ask"],
    ["a command in allow-all, with a rule", quoted({ ...run("npm test"), ...covered }), "ask"],
    [
      "what speaks to the loop",
      quoted({ tool: "start_subagent", category: "signal", permissionMode: "allow-all" }),
      "ask",
    ],
    ["where no person can be asked", quoted({ ...run("npm test"), ...covered, alone: true }), "deny"],
    ["against a deny rule", quoted({ ...read("/w/a.ts"), deny: ["read"] }), "deny"],
  ])("is decided: %s", (_name, of, decision) => {
    expect(verdict(of).decision).toBe(decision);
  });

  it("is asked about with that reason", () => {
    expect(verdict(quoted({ ...run("npm test"), ...covered }))).toMatchObject({
      reason: "was written as plain text and may be a quotation; it runs a command",
      always: true,
    });
    expect(verdict({ ...run("npm test"), ...covered }).decision).toBe("allow");
  });
});
