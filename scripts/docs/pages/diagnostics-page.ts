import { printedForms, serverRows } from "@harness/lsp";
import { generated, table } from "./markdown-table.ts";

const codes = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(" ");

/** The check of edits, and the language servers that are known. */
export function diagnosticsPage(): string {
  const rows = serverRows.map(({ name, languages, roots, command, install, isLinter, needsTrust }) => [
    isLinter ? `${name} (beside the others)` : name,
    codes(Object.keys(languages)),
    codes([command.join(" ")]),
    roots.length > 0 ? codes(roots) : "–",
    install,
    needsTrust ?? "–",
  ]);
  return `# Diagnostics after edits

${generated}When an agent has changed files, a language server looks at them, and the result of the call says what is wrong now and was not before. A mistake of types
is repaired in the next step instead of in the next test run.

\`\`\`
[Diagnostics of typescript: 1 new error after these edits. What follows, up to the mark 1b80e7567b34, was written by others: …]
src/shop.ts:2:14: error ts 2322: Type 'number' is not assignable to type 'string'.
[Mark 1b80e7567b34: end]
\`\`\`

Nothing has to be set up: a server is started when a file of its language is edited and its program is found in \`PATH\`. For TypeScript \`npm install --global typescript@7\`
is all. Without servers nothing is started, loaded or said.

## What is checked

- All edits of a reply together, once, when the last call that may change files has ended; the verdict is the end of that call's result. Commands count:
  what \`sed\` has changed in a file that a server has open, what was created, and what \`git checkout\` or \`npm install\` has broken in open files is checked as well.
- Servers hear of files that others have changed, at the beginning of a turn and after commands, as far as git knows of them; of ignored folders only \`node_modules\` is looked at, as a whole.
- New is what the server did not find before the turn, in the changed files and in up to eight others that it has open. Errors come first, at most ten are listed, the others
  counted.
- A result waits at most a second (the setting \`diagnostics_wait_ms\`). What is not checked by then is named with the reason ("pyright is still starting"); its verdict is in the
  result of a later call, if the agent has changed nothing until then, else in that of the next edit. A verdict is always about the text as it was written: servers are asked for it, and
  what they send unasked counts only with the version of that text. yaml names no versions, but waits before it looks: what it sends after that wait counts. typescript-language-server
  is asked by requests of its own. gopls names a version only after a change, so it is sent an opened file twice. If any other server names none, the agent is told once.
- Changes that wait for a [review](undo.md) are checked as they would be: servers are given their texts, the disk stays as it is. After the review servers see the disk again.
- Files over 1 MB are not checked.

The setting \`diagnostics\` is \`errors\` (the default), \`all\` with warnings and remarks, or \`off\`.

\`/diagnostics\` lists what is wrong in the files that servers have open and what the command below found last, the servers with their memory, and why others were not started. The
window's status row has the number of errors.

## A command

Where there is no language server, a command can check instead:

\`\`\`json
{ "check_command": "npm run check", "check_command_wait_ms": 20000 }
\`\`\`

It runs once after the edits of a reply, if one of the changed files has no language server, and after commands of the agent if git sees that files have changed. Only what is new since
the turn began is reported, so it also runs before the first edit of a turn, unless git sees that nothing has changed since its last run.

- Findings are read from the output in these forms: ${printedForms.map(({ programs }) => programs).join("; ")}. If it fails without one, the result has the end of its output.
- A result waits for it twenty seconds at most (\`check_command_wait_ms\`). What comes later is in the result of a later call, if nothing has changed by then; with the next edit it is
  stopped, because its verdict would be about half of a change. It is stopped with everything that it has started when you cancel, and after ten minutes.
- It runs as commands of agents do, with their environment and in their [sandbox](gate.md). Without one it runs only if you trust the folder (with the setting \`sandbox\` off) or have said
  \`/diagnostics allow\` there: it may run code of the folder. Then the files that it names, such as \`check.sh\` or a \`package.json\`, are guarded like those of hooks: agents write them only when you
  say yes, in every mode. Other code that a check runs, such as tests, a \`build.rs\` or plugins, is not guarded: to be sure, use a check that runs none, or the sandbox. The settings of
  a project name a command only once you trust them, and that trust covers the files that it names.
- Changes that wait for a review are not on disk, so the command does not check them, and the result says so.
- To use it although there is a server, switch the server off in \`lsp.json\`.

## Tools

As soon as a server was started, the model finds three more tools with \`tool_search\`; they are described in no request before.

| tool | does |
| --- | --- |
| \`definition\` | where a name in a file is defined |
| \`references\` | all uses of it, exactly: not other things with the same name |
| \`rename\` | renames it in all files, as one edit: one question of the [gate](gate.md) shows all changes, one [undo](undo.md) takes them back |

\`symbols\`, which finds definitions by their names, belongs to [code search](search.md) and needs no server.

## Language servers

Of several for a language the first that is found is started; linters beside it, below a folder with one of their files.

${table(["server", "files", "command", "started in the folder of", "to install", "only in a trusted folder, because it"], rows)}

Servers of your own are named in \`~/.config/harness/lsp.json\`, or in \`.harness/lsp.json\` of a project, which counts once the folder is [trusted](trust.md). The form is that of Claude's plugins; a known
name changes only what is given, and \`"enabled": false\` switches it off:

\`\`\`json
{
  "zig": { "command": "zls", "args": [], "extensionToLanguage": { ".zig": "zig" }, "rootMarkers": ["build.zig"] },
  "html": { "enabled": false }
}
\`\`\`

Besides: \`settings\` (by section), \`initializationOptions\`, \`env\`, \`linter\` (it runs beside the server of the language).

A server runs with your rights and outside the [sandbox](gate.md): it reads the folder, and some run code of the project. Therefore

- programs inside the folder (\`node_modules/.bin\`, \`.venv/bin\`) are started only if you [trust](trust.md) it, or have said \`/diagnostics allow\` there, and so are
  the servers of the last column. Where commands run in a sandbox, trust is not enough: agents write what such a server runs, and \`/diagnostics allow\` has to say it;
- its environment has no keys, and servers that would load packages are told not to;
- what it asks for is not done: it may not change files or open documents and addresses;
- what it says is information from others for the model: without control characters, bounded, and marked.

Servers end with their workspace, half a minute after its last session, with every process that they have started. One that hangs (30 seconds without an answer), sends a message over
16 MB or too many, or uses more than 4 GB (or half of the machine's memory) is ended. One that has ended is started again with the next edit, after a pause; after the fourth
time not any more, which is said once.
`;
}
