import {
  evaluateCall,
  type GateSettings,
  gitSubcommands,
  programsWith,
  protectedPlaceNames,
  type SandboxView,
  secretPlaceNames,
} from "@harness/gate";
import { type Effect, PermissionMode } from "@harness/protocol";
import { generated, table } from "./markdown-table.ts";
import { pictureMarkup } from "./picture-markup.ts";

const CWD = "/work";

/** Kinds of calls that the modes tell apart, each by an example. */
const kinds: readonly { name: string; category: "readOnly" | "destructive"; effect: Effect }[] = [
  { name: "looks in the workspace", category: "readOnly", effect: { kind: "read", path: `${CWD}/a` } },
  { name: "command that only reads", category: "destructive", effect: run("git status") },
  { name: "change of an ordinary file", category: "destructive", effect: { kind: "write", path: `${CWD}/a` } },
  { name: "other command", category: "destructive", effect: run("npm run build") },
  { name: "request to a host", category: "readOnly", effect: { kind: "reach", url: "https://example.com/" } },
  { name: "protected file, `sudo` …", category: "destructive", effect: { kind: "write", path: `${CWD}/.git/config` } },
];

function run(command: string): Effect {
  return { kind: "run", command, cwd: CWD };
}

const settings: GateSettings = {
  strict: false,
  autoAcceptSafeCommands: true,
  safeCommandPrefixes: null,
  deniedCommandPrefixes: [],
  additionalDirectories: [],
  checkpoints: true,
};
const sandbox: SandboxView = { ready: () => Promise.resolve(), wanted: "auto", active: true };
const words = { allow: "runs", ask: "asked", deny: "denied" } as const;

/** The gate's decision for each kind of call in each mode, with a sandbox that works and no rules. */
function modeTable(): string {
  const rows = PermissionMode.options.map((permissionMode) => [
    `\`${permissionMode}\``,
    ...kinds.map(({ category, effect }) => {
      const effects = [effect];
      const none = { foundInText: false, preview: () => Promise.resolve(undefined) };
      const call = { agentId: "main", toolCallId: "a", tool: "example", title: "", category, effects, ...none };
      const { verdict } = evaluateCall(call, {
        cwd: CWD,
        paths: { real: (path) => path },
        grammar: undefined,
        sandbox,
        settings,
        permissionMode,
        notOffered: undefined,
        rules: [],
        grants: [],
        everythingAsks: undefined,
        hookDenial: undefined,
        sawSecret: false,
        canAsk: true,
      });
      return words[verdict.decision];
    }),
  ]);
  return table(["", ...kinds.map(({ name }) => name)], rows);
}

const codes = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(" ");

/** How calls are decided. */
export function gatePage(): string {
  return `# The gate

${generated}Every call of a tool passes the gate, in every mode and of every agent. The gate knows no tool by name: a call says what it
would do (read or write a path, run a command, reach an address, spend something), and that is judged. The code is
\`packages/gate/src\`; \`packages/gate/src/decide.ts\` is the order below, as one pure function.

## How a call is decided

The first that applies decides. Denied beats asked, and asked beats allowed, wherever the rule comes from and however exact it is.

1. The agent's mode does not have the tool: denied, with the way out ([modes](modes.md)).
2. A rule denies it: denied. Rules are read widely for this: any command in a line, also inside \`$(…)\`, loops or
   \`bash -c\`; a path as written or as links lead; what a command reads and writes, as far as its words tell.
3. A hook refuses it, fails, or takes longer than 30 seconds: denied.
4. The sandbox is set to \`on\` and does not work: commands are denied.
5. It is asked each time (with \`deny\`: denied), whatever else allows it: what writes to a protected place, runs as another user, acts on the whole
   machine or a whole folder of yours, overwrites what others have pushed, starts processes without end, or asks to run outside
   the sandbox; what a rule has asked; a call that the model wrote as text; a request to a host after a file that may hold
   secrets was read. And everything, while a rule that denies may be lost in a file that cannot be read, or while the audit log
   cannot be written.
6. It only looks, inside the workspace and at no secrets: it runs. So does a command that only reads (below), or that your
   \`safe_command_prefixes\` name. With \`strict\` these are asked.
7. Rules that allow, and answers you gave, cover all that it does: it runs. Rules are read narrowly for this: every command of
   the line, the words one by one, the real path.
8. The permission mode lets it run, or denies it.
9. You are asked. Where there is no one to ask, it is denied, and the model learns so.

A compound command is as strict as its strictest part. What is let through is judged once more right before it runs: a link, a
rule or a mode may be another by then. Paths are followed to where they really lead when they are judged, and the tool
touches no other place. Paths longer than a system takes are refused before they are looked up, and a call whose paths are being
looked up can be stopped.

The folders of the workspace are the ones that were there when the session was opened. One that is deleted and made again is the same, and
a workspace may lie behind a link from the beginning. If one comes to lead elsewhere (\`rm -rf W; ln -s E W\`), every call that touches files
is stopped, in every mode and under every rule, with a notice, until a person answers that the new place is meant; that holds until
the session is closed. Where nobody can be asked (\`harness run\`), such calls are denied and the model is told why.

## Permission modes

What happens where no rule and no answer says more, and the sandbox works:

${modeTable()}

\`auto-in-sandbox\` runs a command unasked where the sandbox works and contains it; elsewhere it asks. In \`allow-all\` a command that is not
understood in whole is asked if any rule denies commands; files that may hold secrets, such as \`.env\`, are read and written unasked. The mode is the setting \`permission_mode\`, for one run
\`--permission-mode\`, and Shift+Tab changes it in the window ([modes](modes.md)); questions that are open while it changes are decided again.

### Outside the workspace

The workspace is the session's folder and its additional directories. Reading elsewhere is asked, changing files elsewhere is of high risk. A rule
that names only a tool (\`--allow write\`, \`--allow edit\`, \`--allow '*'\`) covers changes in the workspace; outside a rule has to name the
place, as \`--allow 'write(/tmp/**)'\` does. \`--allow read\` covers reading anywhere. A command is covered by its words: \`--allow bash\` lets
every command change files anywhere, except what is always asked and what names secrets. The mode \`allow-all\` changes files, runs commands and
sends requests anywhere on this machine and beyond, except for the last column of the table: use it in a container, or set the sandbox to \`on\`.

## Forms of rules

| rule | covers |
| --- | --- |
| \`bash(npm test)\` | commands that begin with these words |
| \`read(src/**)\`, \`write(src/**)\` | files, relative to the workspace |
| \`web_fetch(docs.example.com)\`, \`web_fetch(*.example.com)\` | a host, or what is below it |
| \`mcp(github/create_issue)\`, \`mcp(github/get_*)\`, \`mcp(github/*)\` | tools of an [MCP server](mcp.md), by the server's own names; \`*\` stands for any characters |
| \`mcp__github__create_issue\`, \`mcp__github__*\`, \`mcp__github\` | the same, by the names that the model sees and rules of other programs have |
| \`mcp\` | every tool of every MCP server |
| \`write\`, \`*\` | every call of a tool; of all tools |

What a tool of an MCP server does, only the server knows: each is asked about, as a medium risk, in every mode but \`allow-all\`. That a
server calls a tool harmless changes nothing without a rule; that it says the tool destroys something makes it a high risk. Rules that
allow match exactly, rules that ask or deny in any case of letters.

## Answers

| answer | key | digit | covers |
| --- | --- | --- | --- |
| once | \`y\` | 1 | this call |
| this session | \`s\` | 2 | the same tool in the same folder or at the same host; of a command exactly its text; this tool of an MCP server |
| deny | \`n\`, \`d\` | 3 | this call; the turn goes on |
| this turn | \`a\`, \`t\` | 4 | all edits of ordinary files in the workspace, until the turn ends |
| always | \`r\` | 5 | what the dialog says, for this project: commands starting with these words, a tool below a folder, a host ([policies](policies.md)) |
| always deny | \`x\` | 6 | the same, as a denial |
| all edits in this session | Shift+Tab | | what the mode "edits allowed" lets through, from now on ([modes](modes.md)) |
| deny and say why | \`w\`, Tab | | this call; the model reads the words |
| deny and stop | Esc | | this call, and the turn that asks |

A digit means the same answer in every dialog, whatever else is offered. Up and Down move a mark, and Enter gives the marked answer: at
first "once", and "deny" where the risk is high. While the input holds a draft it keeps the keys; Esc leads to the dialog. An answer that
lasts is offered only where the very same call would run without a question afterwards.

Up to 16 questions of a session are open at once, of the main agent and of subagents, each with who asks; more wait. Calls that
clash are asked one after the other. Any attached client answers any of them, in any order, and the first answer to each counts.
Whatever may change an answer (an answer that lasts, a rule, a setting, a mode, trust, a secret that was read) has all open
questions decided again: what needs no person any more is withdrawn and goes on, what would now be asked in another way is put
again, and the rest stays as it is. A change of a file that would fail as things are, such as an edit of text that is not there, is
not asked: the model learns at once, unless that would reveal a file that it may not read.

${pictureMarkup("command-card", "The permission dialog for a command: what it starts, reads and writes, and what the answers cover")}

What is of high risk offers nothing that lasts. "Always" is not offered for shells, interpreters and programs that start others, for
commands with redirections or substitutions, for what is not understood in whole or is too long to have been read. The dialog shows
hidden characters, takes no key that was typed before it appeared, and can be answered when its end has been on screen.
\`/permissions\` lists rules and answers, and takes them back.

## Commands that only read

Two readers look at a command. The strict one knows the part of bash that can be read in exactly one way: plain and quoted
words, \`&& || ; |\`, \`2>&1\`, \`>/dev/null\`, \`< name\`, \`a{b,c}\`, \`$?\`, \`for x in a b; do …; done\` over plain words, lines that are
comments. Only what it reads can run unasked, and only if a table knows each program, each flag and each operand. The other is a whole grammar of bash; it is loaded when the strict one does not suffice, and used only to be
stricter: for rules that deny, for what the dialog says, for what "always" proposes.

What was read is what runs, not the text: each word in quotes, loops as their rounds, patterns replaced by the
names they stand for, each program by its place outside the workspace, without variables that load code (\`LD_PRELOAD\`, \`GIT_*\`,
\`NODE_OPTIONS\` …); git also without the hooks, pagers, filters and file watchers that the repository names.

- Programs: ${codes(programsWith("reads").filter((name) => name !== "git"))}
- git: ${codes(gitSubcommands)}
- Asked for their version: ${codes(programsWith("version"))}

With the settings \`safe_command_prefixes\` and \`denied_command_prefixes\` (\`/command\`) you make a list of your own, and
\`auto_accept_safe_commands\` (\`/autoaccept\`) turns all of this off. A program that the table knows goes as far as its row,
whatever the list says.

## Protected and secret places

Compared without case, and as file systems fold names (\`.GIT\`, \`.git.\`, \`GIT~1\`); anywhere in a path, except those with a
slash in front.

- Asked before every write: ${codes(protectedPlaceNames())}, and start-up files of shells
- Asked before every read, passed over by searches, never in checkpoints: ${codes(secretPlaceNames())}, and by their names \`.env*\` (not
  \`.env.example\`, \`.sample\`, \`.template\`), \`*.pem\`, \`*.key\`, \`*.p12\`, \`*.pfx\`, \`*.kdbx\`, \`id_*\`, \`.netrc\`, \`.npmrc\`, \`.pypirc\`,
  \`.git-credentials\`, \`credentials*\`, \`service-account*.json\`, histories of shells

A command names such a place in whatever spelling: \`src/../.env\`, behind an unknown flag, \`--file=.env\`, \`@.env\`, \`$HOME/.ssh\`, in quotes,
braces, patterns such as \`.e*\`, or in what it starts. A rule that allows covers it only if it has that very word, as
\`bash(docker run --env-file .env)\` has; one that names only a program or a tool does not, and a command that only reads secrets is
asked under any rule. What the words do not say (\`tar -c .\`) is not seen.

## The sandbox

The setting \`sandbox\` is \`off\`, \`auto\` (used where it works, and said where not) or \`on\` (nothing runs without it). On Linux it
takes bubblewrap, and socat where \`sandbox_domains\` names hosts (\`apt install bubblewrap socat\`); on macOS the system's own
sandbox-exec. It is tried out by running something in it. A command in it

- changes files in the workspace, its additional directories and a temporary folder of its own, and nowhere else; not
  \`.git/hooks\`, \`.git/config\`, \`.harness\` and the other protected places; protected folders cannot be made either;
- does not see your keys, the configuration of harness, histories, secret files of the workspace;
- reaches no network, or only the hosts of \`sandbox_domains\`, through a proxy; no other process and no socket of one;
- leaves nothing running.

On macOS the profile is written by a library and sandbox-exec is a tool that Apple calls deprecated: our tests hold what the text of the profile
allows and denies, for odd names too, but we have not tried it on each version of macOS. Have the agent run \`touch ~/outside\` in it before you rely on it.

It is no virtual machine: the kernel is the same, and all other files can be read. A protected file of the workspace that does not exist
yet (\`.npmrc\`) can be made while the command runs; afterwards it is moved to \`NAME.set-aside\`, and the result says so. A command that needs more is asked about, and then runs outside.

Without the sandbox commands have your rights. In either case they get no keys of the environment, no input, a time limit,
and are ended with all they started.

## More

Requests of \`web_fetch\` and what leaves this machine: [web](web.md). Rules that last, and the audit log: [policies](policies.md).
Taking changes back: [undo](undo.md). What a folder's own files may do
before you trust it, and after: [trust](trust.md).

## What the gate does not protect from

- What you allow. A build or a test runs the project's code with your rights, unless the sandbox is on.
- A program on your \`PATH\` that is not what its name says, and a system that is already taken over.
- What a command does that its words do not say. \`make\` may do anything; that is why it is asked.
- git commands that you allow: they run the repository's hooks and filters. Those that run unasked, and those of harness itself, do
  not.
- Secrets in files whose names do not say so, and what leaves with a request you allow.
- Words: a page or a file can talk a model into asking you for something. The gate shows what it would do; read that.
- Other programs that change files while a turn works.
`;
}
