import type { PermissionMode } from "@harness/protocol";

/** How a call ended: it ran unasked, somebody was asked, or it was denied without a question. */
export type Ending = "ran" | "asked" | "denied";

/** A sentence of a page, and calls that show whether it is true. */
export type PageRow = {
  page: string;
  says: string;
  /** What this row tries of it. */
  but?: string;
  mode?: PermissionMode;
  /** Rules of the run. */
  allow?: readonly string[];
  deny?: readonly string[];
  /** In the session's folder; a text that begins with `#!` is a program. */
  files?: Readonly<Record<string, string>>;
  /** In the person's home and configuration folder; `others:` before a path: others may write the file. */
  home?: Readonly<Record<string, string>>;
  calls: readonly (readonly [tool: string, args: Record<string, unknown>])[];
  ends: readonly Ending[];
};

const bash = (command: string) => ["bash", { command }] as const;
const read = (file_path: string) => ["read", { file_path }] as const;
const write = (file_path: string) => ["write", { file_path, content: "x" }] as const;
const policies = (...rules: object[]) => JSON.stringify({ version: 1, rules });
const settings = (values: object) => JSON.stringify(values);
const argv = (decision: string, ...words: string[]) => ({ decision, tool: "bash", argv: words });
const ALL = "allow-all" as const;

const gate: readonly PageRow[] = (
  [
    {
      says: "Deny is stronger than ask, and ask is stronger than allow, whatever file a rule comes from and however exact it is.",
      allow: ["bash(touch a b)", "bash(mkdir x)"],
      home: { "policies.json": policies(argv("deny", "touch"), argv("ask", "mkdir")) },
      calls: [bash("touch a b"), bash("mkdir x")],
      ends: ["denied", "asked"],
    },
    {
      says: "A rule for reading is about every word of every program that names the file",
      mode: ALL,
      deny: ["read(keys/**)"],
      files: { "keys/a": "k" },
      calls: [bash("cat keys/a"), bash("mytool --in=keys/a"), bash("cat keys/{a,b}"), read("keys/a")],
      ends: ["denied", "denied", "denied", "denied"],
    },
    {
      says: "writing to a protected place",
      mode: ALL,
      allow: ["*"],
      calls: [write(".git/hooks/pre-commit"), bash("echo x > .bashrc")],
      ends: ["asked", "asked"],
    },
    {
      says: "contacting a host after a file that may hold secrets was read",
      mode: ALL,
      files: { ".env": "A=b" },
      calls: [read(".env"), bash("curl https://example.invalid/")],
      ends: ["ran", "asked"],
    },
    {
      says: "every call, while a file that may contain deny rules cannot be read",
      mode: ALL,
      home: { "policies.json": "{" },
      calls: [["ls", { path: "." }], bash("true")],
      ends: ["asked", "asked"],
    },
    {
      says: "With `strict` you are asked.",
      files: { a: "1" },
      home: { "settings.json": settings({ strict: true }) },
      calls: [read("a"), bash("cat a")],
      ends: ["asked", "asked"],
    },
    {
      says: "`allow-all` also reads and writes files that may hold secrets, such as `.env`.",
      mode: ALL,
      files: { ".env": "A=b" },
      calls: [read(".env"), bash("cat .env")],
      ends: ["ran", "ran"],
    },
    {
      says: "If there are deny rules for commands or files, it asks about commands that it cannot understand completely.",
      mode: ALL,
      deny: ["bash(git push)"],
      calls: [bash('eval "$X"'), bash("touch a")],
      ends: ["asked", "ran"],
    },
    {
      says: "A rule that names only a tool (`--allow write`, `--allow edit`, `--allow '*'`) covers writing in the workspace.",
      allow: ["write"],
      calls: [write("a"), write("/tmp/harness-page-row")],
      ends: ["ran", "asked"],
    },
    {
      says: "`--allow read` covers reading anywhere, except files that may hold secrets.",
      allow: ["read"],
      files: { ".env": "A=b" },
      calls: [read("/etc/hostname"), read(".env")],
      ends: ["ran", "asked"],
    },
    {
      says: "No rule of any kind covers a dangerous flag of a program that only reads unless it names the flag",
      allow: ["bash(find)", "bash(sort)"],
      files: { a: "1" },
      calls: [bash("find . -delete"), bash("find . -name a -exec rm '{}' +"), bash("sort -o b a")],
      ends: ["asked", "asked", "asked"],
    },
    {
      says: "A rule that names such a flag covers it",
      allow: ["bash(sort -o)"],
      files: { a: "1" },
      calls: [bash("sort -o b a")],
      ends: ["ran"],
    },
    {
      says: "or what is always asked about",
      mode: ALL,
      allow: ["*", "bash(sudo ls)"],
      calls: [bash("sudo ls"), bash("git push --force")],
      ends: ["asked", "asked"],
    },
    {
      says: "Only rules of a run (`--allow`) cover what is dangerous",
      but: "and lasting ones do not",
      home: { "policies.json": policies(argv("allow", "rm")) },
      files: { "d/a": "1" },
      calls: [bash("rm -r d")],
      ends: ["asked"],
    },
    {
      says: "there `bash(rm)` lets `rm -r dist` run",
      allow: ["bash(rm)"],
      files: { "dist/a": "1" },
      calls: [bash("rm -r dist")],
      ends: ["ran"],
    },
    {
      says: "An allow rule covers it only if the rule contains that very word",
      allow: ["bash(cat)", "bash(head -1 .env)", "bash(mytool)"],
      files: { ".env": "A=b" },
      calls: [bash("cat .env"), bash("head -1 .env"), bash("mytool --file=.env"), bash("head -1 ./.env")],
      ends: ["asked", "ran", "asked", "asked"],
    },
    {
      says: "It cannot change what the table says about a program or subcommand that it knows",
      home: { "settings.json": settings({ safe_command_prefixes: ["sed -i", "touch"] }) },
      files: { a: "1" },
      calls: [bash("sed -i s/1/2/ a"), bash("touch b"), bash("ls")],
      ends: ["asked", "ran", "ran"],
    },
    {
      says: "nothing that names secrets or is always asked about, and nothing behind a `cd`",
      home: { "settings.json": settings({ safe_command_prefixes: ["touch", "git push"] }) },
      files: { "sub/a": "1" },
      calls: [bash("touch .env"), bash("cd sub && touch b"), bash("git push --force"), bash("touch .git/hooks/x")],
      ends: ["asked", "asked", "asked", "asked"],
    },
    {
      says: "`/command rm ls` has `ls` asked about again.",
      home: { "settings.json": settings({ safe_command_prefixes: ["!ls"] }) },
      calls: [bash("ls"), bash("pwd")],
      ends: ["asked", "ran"],
    },
    {
      says: "A hook of `hooks.d/tool_exec` before `10-exec` that denies, fails or takes longer than 30 seconds denies the call",
      mode: ALL,
      home: { "hooks.d/tool_exec/05-guard": "#!/bin/sh\nexit 1\n" },
      calls: [bash("touch a")],
      ends: ["denied"],
    },
  ] as const
).map((row) => ({ page: "gate.md", ...row }));

const guard = (command: string) =>
  JSON.stringify({ PreToolUse: [{ matcher: "*", hooks: [{ type: "command", command }] }] });

/** A tool of one's own that declares nothing about what it does. */
const own = (name: string) => {
  const schema = { type: "object", properties: { command: { type: "string" } } };
  const described = JSON.stringify({ name, description: "d", input_schema: schema });
  return `#!/bin/sh\ncase $1 in --schema) echo '${described}';; *) echo own;; esac\n`;
};

const others: readonly PageRow[] = [
  {
    page: "hooks.md",
    says: "refuses the call",
    but: "where it cannot be run, and where it says so, whatever is allowed",
    mode: ALL,
    home: { "hooks.json": guard("/nowhere/guard.sh") },
    calls: [bash("touch a"), write("b")],
    ends: ["denied", "denied"],
  },
  {
    page: "hooks.md",
    says: "refuses the call",
    but: "with exit code 2, also one that only reads",
    mode: ALL,
    home: { "hooks.json": guard("exit 2") },
    calls: [bash("ls")],
    ends: ["denied"],
  },
  {
    page: "hooks.md",
    says: "Any other code is a failure: you are told which hook, and nothing changes.",
    mode: ALL,
    home: { "hooks.json": guard("exit 1") },
    calls: [bash("touch a")],
    ends: ["ran"],
  },
  {
    page: "policies.md",
    says: "An allow rule that fails one is not used.",
    home: { "policies.json": policies({ ...argv("allow", "touch"), match: ["mkdir x"] }) },
    calls: [bash("touch a")],
    ends: ["asked"],
  },
  {
    page: "policies.md",
    says: "one about `rm` does not cover `git rm`, `unlink`, `find -delete` or what a script does",
    allow: ["bash(rm)"],
    files: { a: "1" },
    calls: [bash("git rm a"), bash("unlink a"), bash("find . -name a -delete")],
    ends: ["asked", "asked", "asked"],
  },
  {
    page: "policies.md",
    says: "Deny and ask rules for `read` and `write` also apply to commands, as far as their words show it.",
    mode: ALL,
    home: { "policies.json": policies({ decision: "deny", tool: "write", path: "keys/**" }) },
    calls: [bash("touch keys/a"), bash("echo x > keys/b"), write("keys/c"), bash("touch other")],
    ends: ["denied", "denied", "denied", "ran"],
  },
  {
    page: "policies.md",
    says: "or can be written by other users, then every call is asked about, in every mode",
    mode: ALL,
    home: { "others:policies.json": policies() },
    calls: [["ls", { path: "." }]],
    ends: ["asked"],
  },
  {
    page: "policies.md",
    says: "ask and deny at once; allow once you trust the folder",
    files: { ".harness/policies.json": policies(argv("allow", "touch"), argv("deny", "mkdir"), argv("ask", "ls")) },
    calls: [bash("touch a"), bash("mkdir b"), bash("ls")],
    ends: ["asked", "denied", "asked"],
  },
  {
    page: "trust.md",
    says: "its files may restrict the agent and nothing else",
    files: {
      ".harness/settings.json": settings({ permission_mode: "allow-all", denied_command_prefixes: ["mkdir"] }),
      ".harness/tools/mine": "#!/bin/sh\necho no\n",
    },
    calls: [bash("touch a"), bash("mkdir b")],
    ends: ["asked", "denied"],
  },
  {
    page: "skills.md",
    says: "The instructions of a skill allow nothing by themselves.",
    home: {
      ".claude/skills/pdf/SKILL.md":
        "---\nname: pdf\ndescription: PDFs.\nallowed-tools: Bash(touch:*)\n---\nRun touch.\n",
    },
    calls: [["skill", { name: "pdf" }], bash("touch a")],
    ends: ["ran", "asked"],
  },
  {
    page: "skills.md",
    says: "Files in its folder can be read without asking, except those that may hold secrets; writing there asks.",
    mode: "accept-edits",
    home: {
      ".claude/skills/pdf/SKILL.md": "---\nname: pdf\ndescription: PDFs.\n---\nRun touch.\n",
      ".claude/skills/pdf/.env": "A=b",
    },
    calls: [
      read("../../home/.claude/skills/pdf/SKILL.md"),
      read("../../home/.claude/skills/pdf/.env"),
      write("../../home/.claude/skills/pdf/a.md"),
    ],
    ends: ["ran", "asked", "asked"],
  },
  {
    page: "plugins.md",
    says: "an answer for the session, a rule (`--allow weather`), or `allow-all` then covers that tool.",
    allow: ["mine"],
    home: { "tools/mine": own("mine"), "tools/other": own("other") },
    calls: [
      ["mine", {}],
      ["other", {}],
    ],
    ends: ["ran", "asked"],
  },
  {
    page: "plugins.md",
    says: "the names that other programs use for the built-in tool no longer refer to it",
    but: "and rules about commands hold for a tool of one's own",
    mode: ALL,
    deny: ["bash"],
    home: { "tools/bash": own("bash") },
    calls: [bash("ls")],
    ends: ["denied"],
  },
];

/** Every row is true of the product, and its sentence is on the page. */
export const pageRows: readonly PageRow[] = [...gate, ...others];
