import {
  clientMethods,
  clientNotifications,
  deltas,
  errorKinds,
  facts,
  serverMethods,
  serverNotifications,
} from "@harness/protocol";
import { earlierMethods } from "./earlier-methods.ts";
import { generated, table } from "./markdown-table.ts";
import { type MethodRow, schemaFile } from "./method-schemas.ts";

function methodTable(rows: Record<string, MethodRow>): string {
  return table(
    ["method", "what it does"],
    Object.entries(rows).map(([name, { doc }]) => [`[\`${name}\`](schema/${schemaFile(name)})`, doc]),
  );
}

export function protocolPage(): string {
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
