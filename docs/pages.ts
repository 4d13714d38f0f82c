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
import { commandDocs, keyDocs, screenDocs } from "@harness/tui/docs";
import * as z from "zod";
import { batchTable } from "./batches.ts";
import { commandLinePage } from "./command-line-page.ts";
import { earlierMethods } from "./earlier-methods.ts";
import { gatePage } from "./gate-page.ts";
import { generated, table } from "./markdown-table.ts";
import { pictureMarkup } from "./picture-markup.ts";
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

const transcriptText = `## The transcript

A turn ends with one line: how long it took, its tokens, what it cost and the files that it changed, with the lines added and removed; Ctrl+O
lists them. A turn that failed or was stopped says so there, and the words stay in the transcript, also when the session is opened again.

A command is shown once, in the colours of a shell; a call says how long it took from a second on. "thought for 12 s" opens to the thoughts.
Calls that only read, list or search files are one line ("Explored 4 files, 2 searches"), which opens to its parts; an agent's own line stands
for the call that has started it. The moving sign of what the agent does is in the row above the input, and nowhere else.

Above the input stand what the agent does, its tasks (Ctrl+T), agents at work and commands that go on in the background.

Markdown is drawn as people know it, with tasks, tables, footnotes and formulas as they were written. The terminal opens links where it can
(OSC 8, with 256 colours or more); an address that the text does not say stands beside it. Ctrl+X Y copies the code of the last answer that
has some, as \`/copy code\` does.

Diffs have tinted lines in the colours of their language, and the words that changed are stronger; on a screen of about 125 columns or more the
file before and after stand side by side. Three lines around a change are shown. What is folded names Ctrl+O, which opens it: up to 12 lines
around a change, and the middle of a long output, of which the first and the last lines are always there. With 16 colours, and without any, the
letters say what the tint says.
`;

function windowPage(): string {
  // The window has its own row for a command that it opens a list for.
  const own = new Set(commandDocs().map(([usage = ""]) => usage.split(/[ ,]/)[0]));
  const server = serverCommandRows().filter(([usage = ""]) => !own.has(usage.split(" ")[0]));
  return `# The window

${generated}## Screens

${table(["screen", "key", "what it is for"], screenDocs())}

${pictureMarkup("home", "Home: the model, recent sessions, and what to do next")}

${pictureMarkup("chat", "Chat: a diff, the tasks of the agent, its answer")}

${pictureMarkup("settings", "Settings, in groups")}

${pictureMarkup("history", "History: stored sessions")}

## Slash commands

${table(["command", "what it does"], [...commandDocs(), ...server])}

The last ones are carried out by the server, for any client (\`command/run\`). [Yours](commands.md) join them.

## Home

Home says which model answers, with its context window and price; what runs without a question; which instruction files the agent gets
(those of a folder that you do not trust are read as information); what is not committed, and what was committed since your last session
here. Below are the recent sessions: their first words or title, the first line of the last answer, the lines that were changed, and
\`script\` where it was not a window that began it. ↓ marks one, Enter opens it. The three tips change each hour.

## Without a model

Home lists what can be done about it, and so does \`/model\` below the models: use a server that was found, enter an API key, log in with a
subscription, type the address of a server (harness asks it what it is), or name a \`.gguf\` file. Arrows move, Enter takes the marked row,
Esc goes back. A key that is pasted into the list is not shown: the next page asks whose it is. A message that you have sent already stays in the input and goes out once there is a model. While there is none,
harness looks for local servers every few seconds: one that comes up is used and named above the input.

## Agents

Ctrl+X A shows the agents of the session, Enter opens one: its transcript as it grows, and what you type goes to it. [agents.md](agents.md)
has the rest.

## Typing

[input.md](input.md) has what the input can do: steering, history, your editor, drafts put aside, commands of your own.

## Answering

A permission dialog shows the command once, what it does in words (in the colour of the risk), and its answers ([gate](gate.md#answers)). Esc
denies and stops the turn, \`n\` denies and goes on, \`w\` denies and says why. In a question ↑↓ or a number mark an answer, Space adds
one where several may be given, words are typed as they are, and nothing is sent before Enter. Neither takes a key that was meant for the
input: not while something is being typed, and not while a draft is there, which Esc leaves. Shift+Tab changes the [mode](modes.md) and says what the new one does.

## Beside the screen

The terminal's title names the session, with \`●\` while the agent works and \`?\` while it waits for you (\`window_title\`). When the window is
not in focus, a question and the end of a turn of 20 seconds or more (\`notify_after_secs\`) call you: by a notification of kitty, iTerm2,
WezTerm, Ghostty, Windows Terminal, foot or rxvt, elsewhere and inside tmux by the bell (\`notifications\`). Some terminals show in their tab
that work goes on (\`terminal_progress\`). All of it is taken back when the window closes. The last row has git at its beginning, model and context window at its
end; \`hud_hide\` leaves parts out. What other programs write shows there within a second: up to 4,000 folders of a
repository are watched, in larger ones those below the working folder first.

## Inline

\`harness --inline\`, or the setting \`inline\`, draws the window below what the terminal shows, without a screen of its own. Finished messages are
printed once and belong to the terminal from then on: its scrollback, its search, its selection with the mouse. Below them stands what may still
change: the reply and the calls at work, dialogs, the input and the status row. Calls are printed with the next message of the model, or at the
end of the turn. Lists and screens (\`/model\`, Settings, History) open in the same place and are gone when they close. A session that is
opened prints its last 60 entries. What was printed is not drawn again: \`Ctrl+O\` opens and folds only what is still below, and after
\`/rewind\` a line says that what follows takes the place of the end above. When the terminal becomes narrower, the rows above are broken by it.
Pictures are a line there.

## Files in a message

\`@src/a.ts\` sends the file with the message, \`@src/a.ts#10-40\` or \`#L10-L40\` lines of it, \`@src/\` the names in a folder, \`@shot.png\` the
picture, \`@"a name with spaces"\` any of them; the transcript keeps the short form. The server does it, so that \`harness run\` and
every other client do the same. It reads only what the agent may read without a question: a file outside the workspace, or one that
may hold secrets, refuses the message, and so does one that is gone or too large (1 MB; at most ten pictures, 20 MB each, turned upright and scaled down for the model). An \`@\` that is no path, as in
\`@types/node\`, is plain text. A file that was sent counts as read: the agent can edit it at once.

What a message would send along is shown above the input before it is sent, with its size in tokens; a file that has gone or is too large is
named there in red.

## Images

Ctrl+V adds the image in the clipboard to the message; the path of an image that is pasted or dropped on the window adds that file, and so does
\`/image PATH\`. \`/image\` lists what is added, \`/image drop 2\` removes one, \`/image clear\` all, Backspace in the empty input the last one.
A message takes ten images of up to 20 MB (PNG, JPEG, GIF, WebP, BMP); they are turned upright and scaled down to what models take. Where it is
known that the model cannot see images, the window says so before you send.

The clipboard is read by the program of the platform: \`wl-paste\` or \`xclip\`, \`pngpaste\` or \`osascript\`, PowerShell (Windows, WSL). Where there
is none, as over SSH, the terminal is asked (OSC 5522, kitty's clipboard). Some terminals keep Ctrl+V for themselves: drop the file, or use \`/image\`.

The transcript names each image with its size in pixels and bytes, and shows it where the terminal can: kitty and Ghostty (placeholders of kitty's
graphics), iTerm2, WezTerm and mintty (OSC 1337), and terminals that say that they have sixels (foot, Konsole, Windows Terminal, tmux with sixels …).
The terminal is asked when the first image is there, not before.

${transcriptText}
## Copying

Text that is selected with the mouse is copied when the button is released, over OSC 52; a double click takes a word, a third click the row. Without the
setting \`copy_on_select\` it waits for Ctrl+C. Terminals do not say whether they took it: if the clipboard is empty, hold Shift (Option on macOS) while
selecting, or set \`mouse\` to \`off\`, and the terminal selects by itself. With keys: Ctrl+Space shows a cursor, arrows move it, Space marks from there on, Enter
copies; at its edges the conversation scrolls. \`/copy\` takes whole answers, \`/export\` the conversation. \`exit_screens\` leaves the last screens of the
conversation in the terminal when the window closes.

## Clicking

With the mouse set to \`full\`, a click opens or folds what it meets, a click on a file in the open line at the end of a turn shows the changes of that file, one in
the input puts the cursor there, and one on the row "↓ 12 more rows · 3 new" leads to the end. The conversation follows what is said until you scroll up; it
follows again at the end, and with your next message.

## Searching

Ctrl+F in the empty input, or \`/find WORDS\`, searches the conversation from its end up while you type; capital letters do not matter. It finds what is
folded, too, and opens it while it is shown. Enter ends typing: \`n\` goes to the match above, \`N\` to the one below, \`/\` changes the words, Esc closes the
search and leaves the place as it is. Scrolling and Ctrl+O work meanwhile.

## Keys

\`?\` in the empty input, or \`/keys\`, shows them and changes them: mark an action, press Enter, then the key. What you choose is kept in
\`~/.config/harness/keys.json\`, by the names that a wide window shows beside each key:

\`\`\`json
{
  "chat.agents": "ctrl+x a",
  "input.submit": ["enter", "ctrl+s"],
  "anywhere.settings": "f2",
  "anywhere.suspend": []
}
\`\`\`

An empty list takes an action's keys away. Names of keys: \`enter\`, \`tab\`, \`escape\`, \`space\`, \`backspace\`, \`delete\`, \`insert\`, \`up\`, \`pageup\`, \`home\`,
\`f1\` … \`f24\` and characters, after \`ctrl+\`, \`alt+\`, \`shift+\` or \`meta+\`. What cannot be had, and a key that two actions have, stands above the list.
A change by hand counts at once; while the file is broken, the keys that it had before hold.

Two keys with a blank between them are pressed one after the other: Ctrl+X, then the letter (with or without Ctrl). After the first, the
last row says what can follow; Esc cancels.

${table(["keys", "where", "what they do"], keyDocs())}
`;
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
