import { exitCodes, flags, subcommands } from "@harness/cli";
import {
  clientMethods,
  clientNotifications,
  deltas,
  errorKinds,
  facts,
  type NotificationRow,
  type ProjectReach,
  type RequestRow,
  serverMethods,
  serverNotifications,
  settings,
} from "@harness/protocol";
import { envExample } from "@harness/providers";
import { serverCommands } from "@harness/server";
import { builtinTools } from "@harness/tools";
import { commandDocs, keyDocs, screenDocs } from "@harness/tui/docs";
import * as z from "zod";
import { batchTable } from "./batches.ts";
import { earlierMethods } from "./earlier-methods.ts";
import { gatePage } from "./gate-page.ts";
import { generated, table } from "./markdown-table.ts";
import { providersPage } from "./providers-page.ts";

type Row = RequestRow | NotificationRow;
type Json = Record<string, unknown>;

/** JSON Schema 2020-12 of what is written on the wire. */
function schemaOf(type: z.ZodType): Json {
  return z.toJSONSchema(type, { io: "input", unrepresentable: "any" }) as Json;
}

/** Fields of an object schema in short: `name?: type`. */
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
    ["method", "what it does", "params", "result", "waits behind", "repeatable"],
    Object.entries(rows).map(([name, row]) => {
      const link = `[\`${name}\`](schema/${fileName(name)})`;
      if (row.type === "notification") return [link, row.doc, fields(row.params), "(none)", "", ""];
      const { lane, idempotent } = row;
      return [
        link,
        row.doc,
        fields(row.params),
        fields(row.result),
        lane === "free" ? "nothing" : lane,
        idempotent ? "yes" : "no",
      ];
    }),
  );
}

const fileName = (method: string): string => `${method.replaceAll("/", ".")}.json`;

function protocolPage(): string {
  const updates = (rows: typeof facts | typeof deltas) =>
    table(
      ["`sessionUpdate`", "what it says", "fields"],
      Object.entries(rows).map(([name, { doc, schema }]) => [`\`${name}\``, doc, fields(schema)]),
    );
  const errors = Object.entries(errorKinds).map(([kind, { code, doc, retryable }]) => [
    `\`${kind}\``,
    String(code),
    doc,
    retryable ? "yes" : "no",
  ]);
  return `# The protocol

${generated}JSON-RPC 2.0 over stdin and stdout of \`harness serve --stdio\`: one JSON object a line, UTF-8, LF; no batches; at most
32 MiB a line. \`examples/client.mjs\` is a whole client in some forty lines. The first request is \`initialize\`;
closing stdin ends the server in order.

A message whose JSON text would be longer than two million characters comes in parts, in both directions: notifications
\`$/part\` with \`{"index": 0, "count": 3, "text": "…"}\`, one right after the other. Their texts in order are the JSON text of the
message. A page of \`session/history\` ends after about a million characters, with \`more\`; a larger fact is a page of its own.

A client that reads slowly misses pieces of what streams (\`server/lagged\`), never facts: they wait in the log until it has taken
the earlier ones, and so do large answers, of which one is made at a time.

## What a client calls

${methodTable({ ...serverMethods, ...serverNotifications })}

## What the server calls and reports

${methodTable({ ...clientMethods, ...clientNotifications })}

## Facts

Stored before they are sent. \`session/update\` carries them with \`seq\` (from 1, without gaps, over all agents of the
session) and \`at\`. A client that has seen \`seq\` N gets the rest by \`session/resume\` with
\`{"replay":{"type":"after","seq":N}}\`. A fact that could not be stored comes without \`seq\`.

${updates(facts)}

A setting that a session merely follows is no fact of it: opened again, the session follows the setting as it is then.
\`config_option_update\` says what was chosen for the session, and what has changed in it. The permission mode and the mode in force
are those of the fold's \`config\`; where it is silent, those of the display (\`hud/get\`). The model is that of the display: which
one it is depends on settings, credentials and servers. In the window \`modesInForce\` (\`packages/tui/src/state/selectors.ts\`)
is the one place that reads the modes.

## Deltas

Streamed, never stored. \`offset\` counts UTF-16 units; a chunk may repeat what is known; a gap means: resume. The fact that
completes the text replaces it. They may be joined or, when a client reads too slowly, dropped.

${updates(deltas)}

## Names of an earlier server

The methods of the server that came before are not served under their names: they knew no agents, permissions or replay, and
one active conversation a process. A client that called them calls these ([why](adr/0008-names-of-methods-and-the-first-mode.md)).

${earlierMethods()}

## Errors

\`error.data.kind\` is for programs, \`error.message\` for people; \`data.retryable\` says whether the same request may
succeed later.

${table(["`kind`", "code", "meaning", "retryable"], errors)}

${mcpText}
## Stopping a request

\`{"jsonrpc":"2.0","method":"$/cancel_request","params":{"requestId":7}}\`, in both directions. The request is still answered:
with a result, or with \`cancelled\`. To stop a turn, call \`session/cancel\`.
`;
}

const mcpText = `## MCP servers

The methods of [MCP servers](mcp.md) are about those of a session (\`sessionId\`), of a folder (\`cwd\`), or of the server's own folder.
\`mcp/list\` and \`mcp/complete\` start none: the first is what is named and what is known of it, the second asks servers whose state is
\`ready\`. \`mcp/start\` and \`mcp/login\` answer with the server as it is afterwards, whatever became of it: \`state\` says so, and
\`problem\` why. While \`mcp/login\` waits, the client that called it is told the address to show in \`mcp/login_address\`; stopping the request
ends the login. Questions of servers, also whether the model may answer them, come as \`elicitation/create\`, and calls of their tools as
\`session/request_permission\`, as all others do.
`;

function toolsPage(): string {
  const { tools, aliases } = builtinTools({ toolTimeoutMs: settings.tool_timeout_ms.default });
  const offers = {
    always: "always",
    "if-room": "where there is room",
    "any-room": "where there is room, in small context windows too",
    "when-found": "once found",
    "with-processes": "with a process that stays",
    "after-compaction": "after a compaction",
  };
  const rows = tools.map(({ name, description, category, args, offer = "always" }) => [
    `\`${name}\``,
    description,
    fields(args),
    category,
    offers[offer],
  ]);
  const found = aliases.flatMap(({ form, tool }) =>
    form ? [[`\`${form.name}\``, form.description, fields(form.args), `\`${tool}\``]] : [],
  );
  return `# Tools

${generated}What the model is offered, besides \`start_subagent\` (its parameters: \`task\`,
\`context?\`, \`background?\`), \`send_message\` (\`to\`, \`text\`, \`wait?\`), \`list_agents\` and \`stop_agent\` (\`agent\`; both once found,
docs/agents.md), \`question\` (\`question\`, \`answers?\`), \`switch_mode\` (\`mode\`), \`todo\` (\`todos?\`, \`replace?\`), \`auto_compact\` (\`focus?\`; once
found), \`skill\` (\`name?\`, \`args?\`; where there are [skills](skills.md)) and \`recall\` (\`query?\`, \`seq?\`, \`part?\`, \`all_agents?\`; after a compaction, docs/context.md); docs/modes.md says which mode has which. Tools that
only read run at once inside the workspace; everything else asks first. What requests do not describe, a model finds with \`tool_search\`.

${table(["tool", "description for the model", "parameters", "category", "offered"], rows)}

\`edit\` also takes the forms that models know from other programs: several edits in \`edits\`, each with a file of its own if need be;
lines by number (\`replace_lines\`, \`insert_lines\`); patches as Codex writes them (\`apply_patch\`). Whatever the form, all of a
call's changes are made or none, one permission request shows all of them, and one undo takes them back.

## Names of other programs

Names and argument forms of other programs are understood too. These are found by \`tool_search\`; the others are never shown to the
model. Each is a call of the tool named last, for the gate, for rules and in the transcript: \`git_push\` asks as \`git push\` does.

${table(["name", "description for the model", "parameters", "tool"], found)}

## Several calls in one reply

A call sees what the calls before it in the same reply did. Calls that only look run side by side, up to eight at a time; a call that
may change what another one uses waits for it, or the other for it, in the order of the calls. A command is taken to change
anything, unless the gate's table of programs proves that it only looks ([gate](gate.md)), or the model marks it with \`parallel: true\`:
commands so marked run beside each other. A \`process\` call that sends or stops runs beside no other.
Results are sent in the order of the calls.

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

function settingsPage(): string {
  const rows = Object.entries(settings).map(([key, row]) => [
    `\`${key}\``,
    row.doc,
    row.takesEffect,
    defaultText(row.default),
    "env" in row ? `\`${row.env}\`` : "",
    "project" in row ? projectWords[row.project] : "no",
  ]);
  return `# Settings

${generated}In \`~/.config/harness/settings.json\` (below \`$HARNESS_HOME\` or \`$XDG_CONFIG_HOME/harness\` when these are set), on the
Settings screen, and for one run by flags. Stronger sources win: flag, environment, \`.env\`, project, user, default.

The files of a project are the nearest \`.harness/settings.json\` from the working directory upward, and below it the nearest
\`.tinyharness/config.json\`. Until its folder is trusted, a project may restrict what the agent does and little else; some
things it may never loosen, trusted or not: the last column says which. Lists add up: a project takes nothing out of
yours. In the file a list is \`["npm test", "make"]\`; on the Settings screen its entries stand between commas. While a
settings file cannot be read, nothing runs without a question, and what was denied before stays denied.

A change also counts in sessions that are open: \`now\` even for a permission request that waits for an answer, \`next request\`
when the model is asked next, also in the middle of a turn. What counts for \`new sessions\` changes nothing in those that are
open. A \`permission_mode\` that becomes stricter holds at once, everywhere, also where another one was chosen in the session; a
looser one waits for the next request, and for sessions that chose none. A custom instruction that changes makes a local model read its whole prompt again.

${table(["setting", "meaning", "takes effect", "default", "variable", "from a project"], rows)}
`;
}

function commandLinePage(): string {
  const list = Object.entries(subcommands).map(([, { usage, doc }]) => [`\`${usage}\``, doc]);
  const rows = Object.entries(flags).map(([name, row]) => [
    `\`${"short" in row ? `-${row.short}, ` : ""}--${name}${"value" in row ? ` ${row.value}` : ""}\``,
    row.doc,
    "choices" in row ? row.choices.join(", ") : "",
    row.in.map((each) => (each === "window" ? "window" : `\`${each}\``)).join(", "),
  ]);
  const codes = Object.values(exitCodes).map(({ code, doc }) => [String(code), doc]);
  return `# The command line

${generated}${table(["command", "what it does"], list)}

## Flags

${table(["flag", "meaning", "values", "for"], rows)}

## Exit codes

${table(["code", "meaning"], codes)}

## Output of \`harness run\`

stdout holds the result and nothing else; notes go to stderr. \`json\` prints one result object. \`stream-json\` prints lines:
\`{"type":"init",…}\`, then \`{"type":"update",…}\` whose body is that of \`session/update\` (docs/protocol.md), then exactly one
\`{"type":"result",…}\`, also after an error, a limit or a signal. Where the prompt comes from: the words of the command line;
with \`-\` or without words, stdin; with words, what is piped in is appended between \`<stdin>\` tags. A pipe that stays silent
for two seconds is not waited for when there are words.

## What may reach outside the folder

\`--allow write\` and \`--allow edit\` allow changes in the workspace: the folder and those of \`--add-dir\`. Another place has to be named:
\`--allow 'write(/tmp/**)'\`; without that it is asked, and denied where nobody can be asked. \`--allow bash\` and \`--permission-mode auto\` reach
whatever you can reach, on this machine and in the network, except what is always asked ([gate](gate.md)).

## Slash commands in \`harness run\`

\`harness run "/audit last 5"\` runs a command of the server in place of a message and prints its answer.
A command that needs a session works on the one of \`--continue\` or \`--resume\`; one that sends a message to the agent, as those of files do,
makes a new session otherwise, and the others need none. An unknown command is an
error (exit code 2). A leading space makes a message of it: \`harness run ' /explain this'\`; so is \`/usr/bin is full\`.

${table(
  ["command", "what it does", "needs a session"],
  serverCommandRows((needsSession) => (needsSession ? "yes" : "no")),
)}

## Lines on stdin

With \`--input-format stream-json\` stdin holds lines: \`{"type":"prompt","prompt":"…"}\`, \`{"type":"cancel"}\`,
\`{"type":"permission_reply","permissionId":"…","outcome":{…}}\` and
\`{"type":"question_reply","elicitationId":"…","answer":"…"}\`. Where stdout has lines as well, a question of the agent is one of
them, \`{"type":"question",…}\` with the fields of \`elicitation/create\`. The answer is the number of an option, its words, or
other words; without an answer it is declined. After \`--question-timeout\` the agent decides itself.
`;
}

/** Usage, description, and what `more` says. */
function serverCommandRows(more?: (needsSession: boolean) => string): string[][] {
  return Object.entries(serverCommands).map(([name, { description, argumentHint, needsSession }]) => [
    `/${name}${argumentHint ? ` ${argumentHint}` : ""}`,
    description,
    ...(more ? [more(needsSession)] : []),
  ]);
}

function windowPage(): string {
  // The window has its own row for a command that it opens a list for.
  const own = new Set(commandDocs().map(([usage = ""]) => usage.split(/[ ,]/)[0]));
  const server = serverCommandRows().filter(([usage = ""]) => !own.has(usage.split(" ")[0]));
  return `# The window

${generated}## Screens

${table(["screen", "key", "what it is for"], screenDocs())}

## Slash commands

${table(["command", "what it does"], [...commandDocs(), ...server])}

The last ones are carried out by the server, for any client (\`command/run\`). [Yours](commands.md) join them.

## Agents

Ctrl+X shows the agents of the session, Enter opens one: its transcript as it grows, and what you type goes to it. [agents.md](agents.md)
has the rest.

## Files in a message

\`@src/a.ts\` sends the file with the message, \`@src/a.ts#10-40\` or \`#L10-L40\` lines of it, \`@src/\` the names in a folder, \`@shot.png\` the
picture, \`@"a name with spaces"\` any of them; the transcript keeps the short form. The server does it, so that \`harness run\` and
every other client do the same. It reads only what the agent may read without a question: a file outside the workspace, or one that
may hold secrets, refuses the message, and so does one that is gone or too large (1 MB; pictures 50 MB, scaled down for the model). An \`@\` that is no path, as in
\`@types/node\`, is plain text. A file that was sent counts as read: the agent can edit it at once.

## Keys

${table(["keys", "where", "what they do"], keyDocs())}
`;
}

/** Every generated file by its path from the repository's root. */
export function generatedFiles(): Map<string, string> {
  const files = new Map<string, string>();
  files.set("docs/protocol.md", protocolPage());
  files.set("docs/tools.md", toolsPage());
  files.set("docs/settings.md", settingsPage());
  files.set("docs/command-line.md", commandLinePage());
  files.set("docs/window.md", windowPage());
  files.set("docs/gate.md", gatePage());
  files.set("docs/providers.md", providersPage());
  files.set(".env.example", envExample());
  const methods: Record<string, Row> = {
    ...serverMethods,
    ...serverNotifications,
    ...clientMethods,
    ...clientNotifications,
  };
  for (const [name, row] of Object.entries(methods)) {
    const { doc } = row;
    const result = row.type === "request" ? { result: schemaOf(row.result) } : {};
    files.set(
      `docs/schema/${fileName(name)}`,
      `${JSON.stringify({ method: name, doc, params: schemaOf(row.params), ...result }, null, 2)}\n`,
    );
  }
  return files;
}
