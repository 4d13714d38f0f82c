import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import {
  clientMethods,
  clientNotifications,
  deltas,
  errorKinds,
  facts,
  isSettingKey,
  type NotificationRow,
  type ProjectReach,
  type RequestRow,
  SettingGroup,
  serverMethods,
  serverNotifications,
  settings,
  variablesOfSetting,
} from "@harness/protocol";
import { envExample } from "@harness/providers";
import { builtinTools } from "@harness/tools";
import * as z from "zod";
import { batchTable } from "./batches.ts";
import { commandLinePage } from "./command-line-page.ts";
import { withCommands } from "./commands-page.ts";
import { earlierMethods } from "./earlier-methods.ts";
import { gateListsPage } from "./gate-lists-page.ts";
import { gatePage } from "./gate-page.ts";
import { keysPage } from "./keys-page.ts";
import { generated, table } from "./markdown-table.ts";
import { providersPage } from "./providers-page.ts";
import { withRivals } from "./rivals-section.ts";
import { windowPage } from "./window-page.ts";

const docs = resolve(import.meta.dirname, "../../../docs");

type Row = RequestRow | NotificationRow;
type Json = Record<string, unknown>;

/** JSON Schema 2020-12 of the input form on the wire. */
function schemaOf(type: z.ZodType): Json {
  return z.toJSONSchema(type, { io: "input", unrepresentable: "any" }) as Json;
}

/** Fields of an object schema in short form: `name?: type`. */
function fields(schema: z.ZodType): string {
  const { properties, required, anyOf, oneOf } = schemaOf(schema) as {
    properties?: Record<string, Json>;
    required?: string[];
    anyOf?: Json[];
    oneOf?: Json[];
  };
  if (!properties) return anyOf || oneOf ? "one of several forms, see the schema" : "–";
  const names = Object.entries(properties).map(([name, property]) => {
    const type = Array.isArray(property.enum) ? property.enum.join("\\|") : (property.type ?? "");
    return `\`${name}${required?.includes(name) ? "" : "?"}\`${type ? ` ${type}` : ""}`;
  });
  return names.length === 0 ? "–" : names.join(", ");
}

function methodTable(rows: Record<string, Row>): string {
  return table(
    ["method", "what it does"],
    Object.entries(rows).map(([name, { doc }]) => [`[\`${name}\`](schema/${fileName(name)})`, doc]),
  );
}

const fileName = (method: string): string => `${method.replaceAll("/", ".")}.json`;

function protocolPage(): string {
  const updates = (rows: typeof facts | typeof deltas) =>
    table(
      ["`sessionUpdate`", "what it says"],
      Object.entries(rows).map(([name, { doc }]) => [`\`${name}\``, doc]),
    );
  const errors = Object.entries(errorKinds).map(([kind, { code, doc, retryable }]) => [
    `\`${kind}\``,
    String(code),
    doc,
    retryable ? "yes" : "no",
  ]);
  return `# The protocol

${generated}\`harness serve --stdio\` speaks JSON-RPC 2.0 on stdin and stdout: one JSON object per line, UTF-8, LF, no batches, at most 32 MiB per line.
\`examples/client.mjs\` and \`examples/client.py\` are complete clients in about fifty lines. The first request is \`initialize\`. Close stdin to end the
server.

A message of more than two million characters of JSON is sent in parts, in both directions: notifications \`$/part\` with
\`{"index": 0, "count": 3, "text": "…"}\`, one right after the other. Joined in order, their texts are the JSON of the message. A page of
\`session/history\` ends after about 64,000 characters, with \`more\`; a larger fact is a page of its own.

A client that reads slowly may miss deltas (\`server/lagged\`), but never facts: these wait in the log until it has read the earlier ones. Large answers
wait too; the server makes one at a time.

Each method has a schema in [schema](schema/): its \`params\` and \`result\`, what it \`waitsBehind\` (other calls about the same thing), and whether it is
\`repeatable\`: sent once more after a lost answer, it does no harm. A notification has no result.

## What a client calls

${methodTable({ ...serverMethods, ...serverNotifications })}

## What the server calls and reports

${methodTable({ ...clientMethods, ...clientNotifications })}

## Facts

Facts are stored before they are sent. \`session/update\` carries them with \`seq\` (from 1, without gaps, across all agents of the session) and \`at\`. A
client that has seen \`seq\` N gets the rest with \`session/resume\` and \`{"replay":{"type":"after","seq":N}}\`. A fact that could not be stored has no
\`seq\`. The fields of facts and deltas are in [\`session/update\`](schema/session.update.json).

${updates(facts)}

Settings are not facts: a session that is opened again follows the settings of that moment. \`config_option_update\` reports what was chosen for the session
itself. The mode and permission mode in force are those of the fold's \`config\`; if it has none, those of \`hud/get\`. The model is always the one of
\`hud/get\`, because it depends on settings, credentials and servers. In the window, \`modesInForce\` (\`packages/tui/src/state/selectors.ts\`) is the only
place that reads the modes.

## Deltas

Deltas are streamed and never stored. \`offset\` counts UTF-16 units. A chunk may repeat known text; after a gap, resume. The fact that completes the text
replaces it. Deltas may be joined, or dropped for a client that reads too slowly.

${updates(deltas)}

## Names of an earlier server

The methods of the earlier server are not available under their old names: they had no agents, permissions or replay, and one active conversation per
process. Clients call these instead ([why](adr/0008-names-of-methods-and-the-first-mode.md)).

${earlierMethods()}

## Errors

\`error.data.kind\` is for programs, \`error.message\` for people. \`data.retryable\` says whether the same request may succeed later.

${table(["`kind`", "code", "meaning", "retryable"], errors)}

${reviewText}
${mcpText}
## Stopping a request

Send \`{"jsonrpc":"2.0","method":"$/cancel_request","params":{"requestId":7}}\`, in either direction. The request is still answered, with a result or with
\`cancelled\`. To stop a turn, call \`session/cancel\`.
`;
}

const reviewText = `## Observers

A client with the role \`observer\` attaches to open sessions and reads. It is refused (\`permission_denied\`) methods that change something, params that would
(\`config\`, \`rules\`, \`mcp\` … of \`session/resume\`), opening a stored session, which may go on with its work (\`session/history\` reads it), and folders in
which no open session works.

## Reviewing edits

In the permission mode \`review\` the edits of all agents wait together ([modes](modes.md#reviewing-edits)). A client is asked about them in a
\`session/request_permission\` that has \`review\`: a list of hunks, each with its \`path\`, \`line\`, the lines \`before\` and \`after\`,
and the \`agents\` that have changed the file. The answer has \`hunks\` beside the option: \`take\` or not, \`text\` for other lines
in place of \`after\`, \`feedback\` for a rejection. The option decides the hunks that are not named, so a client that knows none takes or
rejects all.

The outcome \`cancelled\` leaves all of it for later: nothing is written, and nothing stays open. It counts when each client that was asked
has answered so, or when it comes by \`permission/reply\`. At the end of a turn the turn ends as it would have; before a call that needs the files
the turn stops with \`cancelled\`. \`session/cancel\` does the same, also while no turn runs. The edits are shown again at the end of the
next turn, and by the command \`pending\` (\`command/run\`), which answers when the person has. \`pendingEdits\` of \`hud/get\` counts them.
\`staged_update\` says which files wait. Where no client takes permission requests, edits are kept and nothing is asked.
`;

const mcpText = `## MCP servers

The methods for [MCP servers](mcp.md) take a session (\`sessionId\`), a folder (\`cwd\`), or neither for the server's own folder.

- \`mcp/list\` and \`mcp/complete\` start no server: the first returns what is configured and known, the second asks servers whose state is \`ready\`.
- \`mcp/start\` and \`mcp/login\` return the server as it is afterwards, even if they failed: see \`state\` and \`problem\`.
- While \`mcp/login\` waits, its caller gets the address to show in \`mcp/login_address\`. Cancelling the request ends the login.
- Questions of servers, including whether the model may answer them, arrive as \`elicitation/create\`; calls of their tools as
  \`session/request_permission\`.
`;

function toolsPage(): string {
  const { tools, aliases } = builtinTools({ toolTimeoutMs: settings.tool_timeout_ms.default });
  const offers = {
    always: "always",
    "if-room": "where there is room",
    "any-room": "where there is room, in small context windows too",
    "ample-room": "from 64,000 tokens on, else once found",
    "when-found": "once found",
    "with-processes": "with a process that stays",
    "after-compaction": "after a compaction",
  };
  const rows = tools.map(({ name, description, details, category, args, offer = "always" }) => [
    `\`${name}\``,
    details ? `${description} *${details}*` : description,
    fields(args),
    category,
    offers[offer],
  ]);
  const found = aliases.flatMap(({ form, tool }) =>
    form ? [[`\`${form.name}\``, form.description, fields(form.args), `\`${tool}\``]] : [],
  );
  return `# Tools

${generated}What the model can call. Tools that only read run at once inside the workspace; everything else asks first ([gate](gate.md)),
and so does what looks beyond it: other folders, the web, and the screen, whose picture goes to the model (\`screenshot\`). [Modes](modes.md) decide which
tools there are. Requests describe the tools that nearly every task needs; in context windows of 64,000 tokens and more they describe more of them, with the
words in italics, and name the others. The model finds those with \`tool_search\`. With a small context window fewer are described.

${table(["tool", "description for the model", "parameters", "category", "offered"], rows)}

These belong to the session itself:

| tool | parameters | offered |
| --- | --- | --- |
| \`start_subagent\` | \`task\`, \`context?\`, \`background?\`, \`agent?\`, \`model?\`, \`budget?\`, \`worktree?\` ([agents](agents.md)) | where there is room |
| \`send_message\` | \`to\`, \`text\`, \`wait?\` | from 64,000 tokens on, else once found |
| \`agent\`, \`list_agents\`, \`stop_agent\`, \`agent_changes\` | see [agents](agents.md) | once found |
| \`question\` | \`question\`, \`answers?\`, \`several?\` | from 64,000 tokens on, else once found |
| \`switch_mode\` | \`mode\` | in planning and research, else once found |
| \`todo\` | \`todos?\`, \`replace?\` ([context](context.md#tasks)) | from 64,000 tokens on, else once found |
| \`skill\` | \`name?\`, \`args?\` | where there are [skills](skills.md) |
| \`auto_compact\` | \`focus?\` | once found |
| \`recall\` | \`query?\`, \`seq?\`, \`part?\`, \`all_agents?\`, \`sessions?\`, \`session?\` ([sessions](sessions.md#agents-and-other-sessions)) | after a compaction; with \`recall_sessions\` = \`on\` where there is room |

\`edit\` also accepts forms that models know from other programs: several edits in \`edits\`, each with its own file if needed; line numbers
(\`replace_lines\`, \`insert_lines\`); patches in the format of Codex (\`apply_patch\`). All changes of a call are made, or none. One permission request shows all of
them, and one undo reverts them.

\`bash\` also takes \`command\` as a list of words, each of which is quoted (\`["bash", "-lc", "…"]\` runs its last word), and \`cwd\`, which becomes
\`cd FOLDER || exit\` before the command, for the gate as well as for people.

## Files

\`glob\`, \`grep\` and \`ls\` leave out what \`.gitignore\` files and \`.git/info/exclude\` ignore, from the top of the repository down, and everything called \`.git\`,
\`node_modules\` or \`__pycache__\`. A file that is tracked although a rule ignores it is left out as well; your own ignore file (\`core.excludesFile\`) does not count. An
ignored folder or file is found if the call names it. Links are listed by \`ls\` and never followed. \`ls\` names what it leaves out; \`grep\` names the files that it does
not search because they may hold secrets.

\`@\` in a [message](window.md) offers the same files. In a repository git lists them: links and tracked files that a rule ignores are among them, your own ignore
file counts, and files of submodules and of other repositories in the folder are not offered.

## Encodings

\`read\`, \`edit\` and \`write\` keep the encoding of a file. What decides, first to last:

1. a byte order mark of UTF-8 or UTF-16
2. \`charset\` in \`.editorconfig\`, where the bytes are text in it: the values of its standard and every name of the [Encoding Standard](https://encoding.spec.whatwg.org/#names-and-labels), such as \`windows-1251\`, \`koi8-r\` or \`shift_jis\` (\`latin1\` is windows-1252, as everywhere in that standard)
3. UTF-8, where the bytes are valid UTF-8
4. the setting \`file_encoding\`, for all files that are not
5. the characters: Shift_JIS, EUC-JP, EUC-KR, GB18030 (with GBK) and Big5, where all bytes decode and the text clearly is Japanese, Korean or Chinese

A file that none of these is about is shown as Latin-1; \`edit\` refuses it, and \`write\` takes plain ASCII only. An edit is refused if a byte
outside it would change, or if the encoding lacks a character, which the answer names with its line; characters of four bytes in GB18030 count as lacking.
A new file is UTF-8 unless \`.editorconfig\` says otherwise. Not supported are ISO-2022-JP, files over 10 MB, and changes that wait for a review. \`grep\`
reads files as UTF-8, so it does not find accented or non-Latin words in files of other encodings.

## Names of other programs

harness also understands the tool names and arguments of other programs. Those below are found with \`tool_search\`; the others are never shown to the model. Each
is a call of the tool in the last column, for the gate, for rules and in the transcript: \`git_push\` is asked about like \`git push\`.

${table(["name", "description for the model", "parameters", "tool"], found)}

## Several calls in one reply

A call sees what the calls before it in the same reply did. Calls that only read run side by side, up to eight at a time. A call that may change what another one
uses runs before or after it, in the order of the reply. A command counts as changing everything, unless the gate's table of programs proves that it only
reads, or the model marks it with \`parallel: true\`; marked commands run side by side. A \`process\` call that sends input or stops a process runs alone, and so does a command with \`background: true\` until it has started. Results are
sent in the order of the calls.

${batchTable()}
`;
}

/** How far the files of a project may change a setting. */
const projectWords: Record<ProjectReach, string> = {
  any: "yes",
  trusted: "if trusted",
  lower: "only less",
  stricter: "only stricter",
  stricterUntrusted: "stricter; if trusted, all",
  adds: "adds",
  addsTrusted: "adds, if trusted",
};

function defaultText(value: unknown): string {
  if (value === "") return "(empty)";
  return value === null || (Array.isArray(value) && value.length === 0) ? "(none)" : `\`${String(value)}\``;
}

/** A setting with its variables. */
function settingName(key: string): string {
  const variables = isSettingKey(key) ? variablesOfSetting(key) : [];
  return `\`${key}\`${variables.length === 0 ? "" : ` (${variables.map((name) => `\`${name}\``).join(", ")})`}`;
}

function settingsPage(): string {
  const rowsOf = (group: SettingGroup) =>
    Object.entries(settings).flatMap(([key, row]) =>
      row.group === group
        ? [
            [
              settingName(key),
              row.doc,
              defaultText(row.default),
              row.takesEffect,
              "project" in row ? projectWords[row.project] : "no",
            ],
          ]
        : [],
    );
  const columns = ["setting", "meaning", "default", "takes effect", "from a project"];
  const groups = SettingGroup.options.map((group) => `## ${group}\n\n${table(columns, rowsOf(group))}`);
  return `# Settings

${generated}Settings are in \`~/.config/harness/settings.json\` (in \`$HARNESS_HOME\` or \`$XDG_CONFIG_HOME/harness\` if set) and on the Settings screen. The strongest source
wins: flag, environment, \`.env\`, project, your settings, default. A setting's variables are in parentheses
behind its name, the strongest first; some are those of other local agents.

**On the Settings screen** (Ctrl+S), type to filter: \`think\` finds everything about thinking, \`limits\` a group. Defaults are dim; a changed value has a \`•\` and says
where it was set: \`settings.json\`, the project, a variable or a flag. Enter and the arrow keys change a choice, Enter types any other value, Delete restores the
default. Secrets in a value are not shown; change such a value in the file. A list is written \`["npm test", "make"]\` in the file and with commas on the screen.

**A project's settings** are in the nearest \`.harness/settings.json\`, looking upward from the working folder, and below it in priority the nearest
\`.tinyharness/config.json\`. Until you [trust](trust.md) the folder, they may restrict what the agent does and little else; some settings they may never loosen. The last
column says which. Lists add up: a project removes nothing from yours. Variables of other local agents are not read, and their settings only
by [\`harness import\`](import.md); at the first start harness names what it finds.

**When changes take effect.** Edits by hand, by another harness, and to a \`.env\` apply at once, in open sessions too: \`now\` even to a permission request that is
open, \`next request\` with the next request to the model, even in the middle of a turn. \`new sessions\` does not change open ones. A stricter \`permission_mode\`
applies everywhere at once; a looser one with the next request, and only in sessions that have no mode of their own. Changing a custom instruction makes a local
model read its whole prompt again. While a settings file cannot be read, the window says so, the last valid values stay in force, and nothing runs without asking.

${groups.join("\n\n")}
`;
}

/** Every generated file by its path from the repository's root. */
export function generatedFiles(): Map<string, string> {
  const files = new Map<string, string>();
  files.set("docs/protocol.md", protocolPage());
  files.set("docs/tools.md", toolsPage());
  files.set("docs/settings.md", settingsPage());
  files.set("docs/command-line.md", commandLinePage());
  files.set("docs/commands.md", withCommands(readFileSync(join(docs, "commands.md"), "utf8")));
  files.set("docs/window.md", windowPage());
  files.set("docs/keys.md", keysPage());
  files.set("docs/gate.md", gatePage());
  files.set("docs/gate-lists.md", gateListsPage());
  files.set("docs/providers.md", providersPage());
  files.set("docs/benchmarks.md", withRivals(readFileSync(join(docs, "benchmarks.md"), "utf8")));
  files.set(".env.example", envExample());
  const methods: Record<string, Row> = {
    ...serverMethods,
    ...serverNotifications,
    ...clientMethods,
    ...clientNotifications,
  };
  for (const [name, row] of Object.entries(methods)) {
    const { doc } = row;
    const result =
      row.type === "request"
        ? {
            waitsBehind: row.lane === "free" ? "nothing" : row.lane,
            repeatable: row.idempotent,
            result: schemaOf(row.result),
          }
        : {};
    files.set(
      `docs/schema/${fileName(name)}`,
      `${JSON.stringify({ method: name, doc, params: schemaOf(row.params), ...result }, null, 2)}\n`,
    );
  }
  return files;
}
