import { exitCodes, type FlagName, flags, flagUsage, subcommands } from "@harness/cli";
import { generated, table } from "./markdown-table.ts";

/** A flag of more commands than this is described as belonging to every command. */
const MANY = 15;

/** The page of the command line. */
export function commandLinePage(): string {
  const list = Object.entries(subcommands).map(([, { usage, doc }]) => [`\`${usage}\``, doc]);
  const rows = Object.entries(flags).map(([name, row]) => [
    `\`${flagUsage(name as FlagName).trim()}\``,
    row.doc,
    "choices" in row ? row.choices.join(", ") : "",
    "fallback" in row ? row.fallback : "",
    row.in.length > MANY
      ? "every command"
      : row.in.map((each) => (each === "window" ? "window" : `\`${each}\``)).join(", "),
  ]);
  const codes = Object.values(exitCodes).map(({ code, doc }) => [String(code), doc]);
  return `# The command line

${generated}${table(["command", "what it does"], list)}

\`harness COMMAND --help\` shows examples and the flags of a command with their defaults. \`harness help flags\` lists all flags and \`harness help
exit-codes\` the exit codes. \`harness man\` opens the manual page; \`harness man > ~/.local/share/man/man1/harness.1\` installs it for \`man harness\`.

One unknown word, or a first word that resembles a command, is not sent to the model: \`harness login\` and \`harness rnu hi\` tell you what you
probably meant (exit code 2). Any other text is a message. To send such words all the same: \`harness -- WORDS\`. Flags of other agents (\`--yolo\`, \`--full-auto\`, \`--approval-mode\`, \`--sandbox\` …) are answered with the
flag of harness.

## Choosing a session

\`harness -c\` continues the newest session of this folder. \`harness -r\` lists the stored sessions to choose from. \`harness -r ID\` opens one by its id,
the start of its id, or its title; \`harness run -r ID "…"\` continues it without the window. A session works in its folder: if that was
moved or removed, \`harness run\` refuses (exit code 7) and says how to go on. \`harness sessions\` prints the sessions of this folder,
with \`--all\` those of every folder. A session is open in one harness at a time; if one was killed in a way that left its lock, the error names the file
to delete. \`harness session export ID\` and \`/export\` write it to a file ([sessions](sessions.md#export)).

## Output of \`harness run\`

| \`--output-format\` | stdout |
| --- | --- |
| \`text\` | the answer |
| \`json\` | one result object |
| \`stream-json\` | a line of JSON per event: \`{"type":"init",…}\`, then \`{"type":"update",…}\` with the body of \`session/update\` ([protocol](protocol.md)), and last one \`{"type":"result",…}\`, also after an error, a limit or a signal |

Notes go to stderr. If stderr is a terminal, each step is shown there as it happens, and after the answer the
session with how to continue it; \`-q\` turns that off. In a pipe, \`-v\` prints both; \`json\` has the session as \`sessionId\`.

\`-o FILE\` also writes the answer to a file. So does \`HARNESS_OUTPUT_DIR\` of the environment, for batch systems: to \`JOB.txt\` in that folder, where
\`JOB\` is \`HARNESS_JOB_ID\`, or \`unknown\`.

With \`--output-schema FILE\` the answer is one JSON value that fits a JSON Schema, whatever words and code fences the model puts around it; \`json\` has
it as \`structured\`. The schema goes to the model with your message. An answer that does not fit is asked for once more, with what was wrong; if that
one does not fit either, the run fails with exit code 1.

\`--max-tokens N\` and \`--max-cost USD\` end a run, its subagents included, with exit code 5 before the next request. A model whose price is not known ends a
run with \`--max-cost\` after its first reply. The setting \`max_daily_usd\` is a limit for all sessions of a day ([settings](settings.md)).

The prompt is what you write on the command line, or stdin if you write none or \`-\`. If there is both, the piped text is appended in \`<stdin>\` tags;
a pipe that sends nothing for two seconds is ignored, with a note: the run waits for it that long.

## Exit codes

${table(["code", "meaning"], codes)}

## Changes outside the folder

\`--allow write\` and \`--allow edit\` cover the workspace: the folder and those added with \`--add-dir\`. Name any other place:
\`--allow 'write(/tmp/**)'\`. Otherwise you are asked, and \`harness run\` denies it.

\`--allow bash\` and \`--permission-mode allow-all\` let commands reach everything that you can reach, on this machine and in the network. A few
dangerous calls are still asked about ([gate](gate.md)).

## Lines on stdin

With \`--input-format stream-json\`, \`harness run\` reads one JSON object per line:

\`\`\`text
{"type":"prompt","prompt":"…"}
{"type":"cancel"}
{"type":"permission_reply","permissionId":"…","outcome":{…}}
{"type":"question_reply","elicitationId":"…","answer":"…"}
\`\`\`

If stdout is \`stream-json\` too, a question of the agent arrives as \`{"type":"question",…}\` with the fields of \`elicitation/create\`. Answer with the
number or the text of an option, or with any other text; without \`answer\` the question is declined. After \`--question-timeout\` the agent goes on
without an answer.

## A folder that has moved

A session works in its folder. If that no longer exists, the session is not opened (exit code 7; on the wire the error \`folder_gone\`), and no
tool makes the folder again. How to go on with it:

- In the folder's new place, \`-c\` and \`-r ID\` take the session along: harness knows a folder that was renamed or moved on the same disk.
- Elsewhere, as in a copy, a new clone or after \`git worktree remove\`, name the folder: \`harness run -r ID -C FOLDER\`. \`-c\` says so of a session whose
  repository is the one here.
- The window and plain lines offer to go on in the current folder: open the session again (\`/resume ID\`).

The session then stays in the new folder. The model is told, and has to read files again before it changes them. Older changes cannot be undone there.

## Slash commands in \`harness run\`

\`harness run "/audit last 5"\` runs a slash command and prints its result. A command that needs a session uses the one of \`--continue\` or
\`--resume\`. Commands that send a message to the agent, such as your own Markdown commands, start a new session otherwise. An unknown command
is an error (exit code 2). To send text that begins with \`/\` as a message, put a space in front: \`harness run ' /explain this'\`. Text such as
\`/usr/bin is full\` is sent as a message anyway.

[Slash commands](commands.md#built-in-commands) lists them, and which need a session.

## Plain lines

\`harness repl\`, or \`harness --line\`, prints plain lines and never redraws anything. \`harness\` uses it by itself in simple terminals (\`TERM=dumb\`) and for
screen readers (\`INK_SCREEN_READER=true\` or \`ACCESSIBLE=1\`), and wherever the setting \`line_mode\` is on (\`--inline\` then opens the window once).

- At \`>>>\` you type a message, a slash command (\`/help\` lists them), or \`!COMMAND\` for the shell. \`quit\`, \`exit\` or Ctrl+D leaves.
- At \`answer>\` you answer what you are asked: permission requests with the letter shown, or \`w\` and a reason to deny; questions with a number (\`1, 3\` for
  several), your own words, or \`skip\`; forms of MCP servers field by field; trust in a folder with \`y\`, \`s\` or \`n\`.
- At \`review>\` (permission mode \`review\`) you go through the changes of files one by one: \`y\` takes one, \`n\` and your words reject it, \`e\` opens your
  editor, \`a\` and \`x\` take or reject all that are open, a number goes back to a change, \`stop\` leaves them for later.
- \`\\\` at the end of a line, or an open code fence, goes on with the message in the next line; an empty line ends an open fence. Pasted lines are one
  message. \`/edit\` writes a message in your editor.
- While a turn runs, a line you type is sent with the agent's next step, and most commands work. \`/stop\` or Ctrl+C stops the turn, a second Ctrl+C leaves.
- All commands of the window work or say why not. \`/copy\` uses the terminal's clipboard, or prints the text where there is none; \`/find WORDS\` prints the
  lines that match; \`/image PATH\` adds an image to the next message; \`/keys\` lists the few keys.
- In simple terminals and for screen readers the terminal itself edits the line (Backspace, Ctrl+U, Ctrl+W), so that nothing is drawn twice; elsewhere
  Up and Down lead to earlier messages, and Tab completes commands, those of your own too.
- Piped input is taken line by line, and the output has no control sequences. At its end permission requests are denied and reviews rejected.

## Completion in the shell

\`\`\`sh
harness completion bash > ~/.local/share/bash-completion/completions/harness
harness completion zsh > ~/.zfunc/_harness         # with fpath+=~/.zfunc before compinit in ~/.zshrc
harness completion fish > ~/.config/fish/completions/harness.fish
\`\`\`

The scripts complete commands, flags, their fixed values, folders and files. Only for commands of your own, as the first word
or behind \`help\`, do they start harness.

## Flags

${table(["flag", "meaning", "values", "default", "for"], rows)}
`;
}
