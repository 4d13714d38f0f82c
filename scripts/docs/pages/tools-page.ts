import { settings } from "@harness/protocol";
import { MemoryCodeSearch } from "@harness/testkit";
import { builtinTools } from "@harness/tools";
import { batchTable } from "./batches.ts";
import { generated, table } from "./markdown-table.ts";
import { fields } from "./schema-fields.ts";

export function toolsPage(): string {
  const { tools, aliases } = builtinTools({
    toolTimeoutMs: settings.tool_timeout_ms.default,
    code: new MemoryCodeSearch("/"),
  });
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
words in italics, and name the others. The model finds those with \`tool_search\`. With a small context window fewer are described. \`semantic_search\` and \`symbols\` are there where the folder
has an index ([code search](search.md)).

${table(["tool", "description for the model", "parameters", "category", "offered"], rows)}

These belong to the session itself:

| tool | parameters | offered |
| --- | --- | --- |
| \`start_subagent\` | \`task\`, \`context?\`, \`background?\`, \`agent?\`, \`model?\`, \`budget?\`, \`worktree?\` ([agents](agents.md)) | where there is room |
| \`send_message\` | \`to\`, \`text\`, \`wait?\` | from 64,000 tokens on, else once found |
| \`agent\`, \`list_agents\`, \`stop_agent\`, \`agent_changes\` | see [agents](agents.md) | once found |
| \`question\` | \`question\`, \`answers?\`, \`several?\`, \`header?\`, \`more?\` ([questions](modes.md#questions)) | from 64,000 tokens on, else once found |
| \`switch_mode\` | \`mode\`, \`plan?\` | in planning and research, else once found |
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
finds accented and non-Latin words in files of other encodings, too, and shows lines as \`read\` does. Output of commands that is not UTF-8 is read
as the setting \`file_encoding\` says, else like a file, line by line.

## Names of other programs

harness also understands the tool names and arguments of other programs. Those below are found with \`tool_search\`; the others are never shown to the model. Each
is a call of the tool in the last column, for the gate, for rules and in the transcript: \`git_push\` is asked about like \`git push\`.

${table(["name", "description for the model", "parameters", "tool"], found)}

An argument that a tool does not have is left out where that cannot change what the call does, and the result says so: any of a tool that only reads, words for
people such as \`description\` or \`reason\`, and with \`question\`, \`switch_mode\`, \`start_subagent\` and the session's other tools those that limit nothing. Otherwise the
call is refused: a name close to one of the tool's own may mean it, and \`append\`, \`dry_run\` or \`force: false\` would have changed what it does. Tools of MCP servers
take what their schema says.

## Several calls in one reply

A call sees what the calls before it in the same reply did. Calls that only read run side by side, up to eight at a time. A call that may change what another one
uses runs before or after it, in the order of the reply. A command counts as changing everything, unless the gate's table of programs proves that it only
reads, or the model marks it with \`parallel: true\`; marked commands run side by side. A \`process\` call that sends input or stops a process runs alone, and so does a command with \`background: true\` until it has started. Results are
sent in the order of the calls.

${batchTable()}
`;
}
