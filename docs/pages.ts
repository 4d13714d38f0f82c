import {
  clientMethods,
  clientNotifications,
  deltas,
  errorKinds,
  facts,
  type NotificationRow,
  type ProjectReach,
  type RequestRow,
  SettingGroup,
  serverMethods,
  serverNotifications,
  settings,
} from "@harness/protocol";
import { envExample } from "@harness/providers";
import { replaceableCommands, serverCommands } from "@harness/server";
import { builtinTools } from "@harness/tools";
import * as z from "zod";
import { batchTable } from "./batches.ts";
import { commandLinePage } from "./command-line-page.ts";
import { earlierMethods } from "./earlier-methods.ts";
import { gatePage } from "./gate-page.ts";
import { generated, table } from "./markdown-table.ts";
import { providersPage } from "./providers-page.ts";
import { windowPage } from "./window-page.ts";

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

${reviewText}
${mcpText}
## Stopping a request

\`{"jsonrpc":"2.0","method":"$/cancel_request","params":{"requestId":7}}\`, in both directions. The request is still answered:
with a result, or with \`cancelled\`. To stop a turn, call \`session/cancel\`.
`;
}

const reviewText = `## Reviewing edits

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
  const rowsOf = (group: SettingGroup) =>
    Object.entries(settings).flatMap(([key, row]) =>
      row.group === group
        ? [
            [
              `\`${key}\``,
              row.title,
              row.doc,
              row.takesEffect,
              defaultText(row.default),
              "env" in row ? `\`${row.env}\`` : "",
              "project" in row ? projectWords[row.project] : "no",
            ],
          ]
        : [],
    );
  const columns = ["setting", "on the screen", "meaning", "takes effect", "default", "variable", "from a project"];
  const groups = SettingGroup.options.map((group) => `## ${group}\n\n${table(columns, rowsOf(group))}`);
  return `# Settings

${generated}In \`~/.config/harness/settings.json\` (below \`$HARNESS_HOME\` or \`$XDG_CONFIG_HOME/harness\` when these are set), on the
Settings screen, and for one run by flags. Stronger sources win: flag, environment, \`.env\`, project, user, default.

The files of a project are the nearest \`.harness/settings.json\` from the working directory upward, and below it the nearest
\`.tinyharness/config.json\`. Until its folder is trusted, a project may restrict what the agent does and little else; some
things it may never loosen, trusted or not: the last column says which. Lists add up: a project takes nothing out of
yours. In the file a list is \`["npm test", "make"]\`; on the Settings screen its entries stand between commas. A file that
you edit by hand, or that another harness writes, counts at once, and so does a \`.env\`. While a settings file cannot be read, the window
says so, what the file said before holds, and nothing runs without a question.

On the Settings screen (Ctrl+S) letters filter: \`think\` finds everything about thinking, \`limits\` a group. Defaults are dim; a value
that was changed has a \`•\` and the place where: \`settings.json\`, the project, a variable or a flag. Enter and the arrow keys change a
choice, Enter types any other value, Delete goes back to the default; the lines below the list say what the setting does and when a
change takes effect. Secrets in a value are never shown, and such a value is changed in the file only.

A change also counts in sessions that are open: \`now\` even for a permission request that waits for an answer, \`next request\`
when the model is asked next, also in the middle of a turn. What counts for \`new sessions\` changes nothing in those that are
open. A \`permission_mode\` that becomes stricter holds at once, everywhere, also where another one was chosen in the session; a
looser one waits for the next request, and for sessions that chose none. A custom instruction that changes makes a local model read its whole prompt again.

${groups.join("\n\n")}
`;
}

/** Usage, description, and what `more` says. */
function serverCommandRows(more?: (needsSession: boolean) => string): string[][] {
  return Object.entries({ ...serverCommands, ...replaceableCommands }).map(
    ([name, { description, argumentHint, needsSession }]) => [
      `/${name}${argumentHint ? ` ${argumentHint}` : ""}`,
      description,
      ...(more ? [more(needsSession)] : []),
    ],
  );
}

/** Every generated file by its path from the repository's root. */
export function generatedFiles(): Map<string, string> {
  const files = new Map<string, string>();
  files.set("docs/protocol.md", protocolPage());
  files.set("docs/tools.md", toolsPage());
  files.set("docs/settings.md", settingsPage());
  files.set(
    "docs/command-line.md",
    commandLinePage(serverCommandRows((needsSession) => (needsSession ? "yes" : "no"))),
  );
  files.set("docs/window.md", windowPage(serverCommandRows()));
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
