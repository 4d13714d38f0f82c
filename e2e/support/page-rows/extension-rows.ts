import { ALL, argv, bash, type PageRow, policies, read, settings, write } from "./page-row.ts";

const guard = (command: string) =>
  JSON.stringify({ PreToolUse: [{ matcher: "*", hooks: [{ type: "command", command }] }] });

/** A tool of the user's own, which declares its effects, or nothing about them. */
const own = (name: string, declared?: object) => {
  const schema = { type: "object", properties: { command: { type: "string" }, at: { type: "string" } } };
  const described = JSON.stringify({ name, description: "d", input_schema: schema, "x-harness": declared });
  return `#!/bin/sh\ncase $1 in --schema) echo '${described}';; *) echo own;; esac\n`;
};

/** Statements of the pages about rules, hooks, skills and plugins. */
export const extensionRows: readonly PageRow[] = [
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
    says: "Any other code is a failure: harness names the hook, and nothing changes.",
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
  {
    page: "plugins.md",
    says: "If the call could run a command, or harness cannot tell, you are asked.",
    but: "whatever the tool declares",
    home: { "tools/bash": own("bash", { effects: [] }) },
    calls: [bash("touch a")],
    ends: ["asked"],
  },
  {
    page: "plugins.md",
    says: "The [gate](gate.md) decides by `x-harness`, as it does for built-in tools.",
    deny: ["read(keys/**)"],
    home: {
      "tools/none": own("none", { category: "readOnly", effects: [] }),
      "tools/reads": own("reads", { category: "readOnly", effects: [{ kind: "read", argument: "at" }] }),
      "tools/writes": own("writes", { effects: [{ kind: "write", argument: "at" }] }),
      "tools/runs": own("runs", { effects: [{ kind: "run", argument: "command" }] }),
      "tools/reaches": own("reaches", { effects: [{ kind: "reach", value: "https://example.invalid/" }] }),
    },
    calls: [
      ["none", {}],
      ["reads", { at: "a" }],
      ["reads", { at: "keys/a" }],
      ["reads", { at: "/etc/hostname" }],
      ["writes", { at: "a" }],
      ["runs", { command: "ls" }],
      ["runs", { command: "rm a" }],
      ["reaches", {}],
    ],
    ends: ["ran", "ran", "denied", "asked", "asked", "ran", "asked", "asked"],
  },
  {
    page: "plugins.md",
    says: "or when an argument that an effect names is missing, you are asked about the call as a command",
    home: { "tools/reads": own("reads", { effects: [{ kind: "read", argument: "at" }] }) },
    calls: [["reads", {}]],
    ends: ["asked"],
  },
  {
    page: "plugins.md",
    says: "The folder is protected, so you are asked before the file is written, in every mode.",
    mode: ALL,
    allow: ["*"],
    calls: [write(".harness/tools/x"), write(".harness/hooks.d/tool_exec/05-x"), bash("echo x > .harness/tools/y")],
    ends: ["asked", "asked", "asked"],
  },
  {
    page: "hooks.md",
    says: "API keys are not passed unless named there.",
    mode: ALL,
    home: {
      "hooks.d/tool_exec/05-none": '#!/bin/sh\n[ -z "$MY_TOKEN$OPENAI_API_KEY" ]\n',
      "hooks.d/tool_exec/06-named": '#!/bin/sh\n[ "$MY_TOKEN$OPENAI_API_KEY" = m ]\n',
      "hooks.d/tool_exec/06-named.conf": "# for us\npass_env=MY_TOKEN,OTHER\n",
    },
    calls: [bash("touch a")],
    ends: ["ran"],
  },
  {
    page: "hooks.md",
    says: "A hook that takes longer is stopped with everything it started",
    but: "and refuses the call",
    mode: ALL,
    home: {
      "hooks.d/tool_exec/05-slow": "#!/bin/sh\nsleep 300\n",
      "hooks.d/tool_exec/05-slow.conf": "timeout=0.2\n",
    },
    calls: [bash("touch a")],
    ends: ["denied"],
  },
  {
    page: "hooks.md",
    says: "where nobody can be asked, it is denied",
    but: "and asked about here, though it only reads and a rule allows it",
    mode: ALL,
    allow: ["*"],
    home: { "hooks.d/tool_exec/05-ask": `#!/bin/sh\necho '{"decision":"ask","reason":"sure?"}'\n` },
    calls: [bash("ls"), write("a")],
    ends: ["asked", "asked"],
  },
  {
    page: "hooks.md",
    says: "A hook cannot allow what a rule denies",
    mode: ALL,
    deny: ["bash(touch)"],
    home: {
      "hooks.d/tool_exec/05-pass": `#!/bin/sh\nsed 's/mkdir/touch/'\n`,
      "hooks.json": guard(`echo '{"hookSpecificOutput":{"permissionDecision":"allow"}}'`),
    },
    calls: [bash("touch a"), bash("mkdir b")],
    ends: ["denied", "denied"],
  },
  {
    page: "tools.md",
    says: "and so does what looks beyond it: other folders, the web, and the screen",
    home: { "bin/grim": "#!/bin/sh\nexit 1\n" },
    calls: [
      ["screenshot", {}],
      ["ls", { path: "/etc" }],
      ["web_fetch", { url: "https://1.1.1.1/" }],
      ["ls", { path: "." }],
    ],
    ends: ["asked", "asked", "asked", "ran"],
  },
];
