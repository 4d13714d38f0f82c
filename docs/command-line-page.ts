import { exitCodes, type FlagName, flags, flagUsage, subcommands } from "@harness/cli";
import { generated, table } from "./markdown-table.ts";

/** A flag of more commands than this belongs to every command, as far as a reader is concerned. */
const MANY = 15;

/** The page of the command line; `commands`: rows of the server's slash commands. */
export function commandLinePage(commands: string[][]): string {
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

\`harness COMMAND --help\` shows how one command is used, with examples and the defaults of its flags; \`harness help flags\` shows all
flags, \`harness help exit-codes\` the exit codes. \`harness man\` opens the manual page; \`harness man > ~/.local/share/man/man1/harness.1\`
installs it for \`man harness\`.

A single word that is no command is not sent to the model: \`harness login\` says what was probably meant, and so does
\`harness rnu hi\`. \`harness -- WORDS\` sends any words as a message. Flags that other agents have under another name
(\`--yolo\`, \`--full-auto\`, \`--approval-mode\`, \`--sandbox\` and so on) are answered with the one of harness.

## Completion in the shell

\`\`\`sh
harness completion bash > ~/.local/share/bash-completion/completions/harness
harness completion zsh > ~/.zfunc/_harness         # with fpath+=~/.zfunc before compinit in ~/.zshrc
harness completion fish > ~/.config/fish/completions/harness.fish
\`\`\`

Commands, flags, the values of flags that have a fixed set, folders and files are completed; the scripts start no harness.

## Plain lines

\`harness repl\`, or \`harness --line\`, is a conversation in plain lines: no cursor is moved and nothing is drawn twice. \`harness\` itself opens it where the terminal
is dumb (\`TERM=dumb\`) and where a screen reader is announced (\`INK_SCREEN_READER=true\`, or \`ACCESSIBLE=1\`, which other programs read, too). After \`>>>\` a line is a message, \`/help\` lists the
commands of the server and of the line mode, \`!COMMAND\` runs a command of your own, and \`quit\`, \`exit\` or Ctrl+D leaves. Replies come in
whole lines, steps as in a run. Every question is answered by a line behind \`answer>\`: permissions by the letter shown or \`w\` and the reason
of a denial, questions of the agent by a number (\`1, 3\` where several may be chosen), own words or \`skip\`, forms of MCP servers
field by field, the trust in a folder by \`y\`, \`s\` or \`n\`. While a turn runs, a line
is sent with its next step, and \`/stop\` or Ctrl+C stops it. \`/cost\` shows tokens and money, \`/ps\` what runs in the background, and stops it. Lines can be piped in; they are then taken one after another.

## Choosing a session

\`harness -r\` shows the stored sessions and opens the one that you choose. \`harness sessions\` lists those of this folder, \`--all\` those of
every folder, \`--json\` as one JSON object; \`harness -r ID\` and \`harness run -r ID "…"\` go on with one, by id, the beginning of its id, or title.

## Flags

${table(["flag", "meaning", "values", "default", "for"], rows)}

## Exit codes

${table(["code", "meaning"], codes)}

## Output of \`harness run\`

stdout holds the result and nothing else; notes go to stderr, and where that is a terminal each step as it happens (\`-q\` keeps them back). \`json\` prints one result object. \`stream-json\` prints lines:
\`{"type":"init",…}\`, then \`{"type":"update",…}\` whose body is that of \`session/update\` (docs/protocol.md), then exactly one
\`{"type":"result",…}\`, also after an error, a limit or a signal. Where the prompt comes from: the words of the command line;
with \`-\` or without words, stdin; with words, what is piped in is appended between \`<stdin>\` tags. A pipe that stays silent
for two seconds is not waited for when there are words.

## What may reach outside the folder

\`--allow write\` and \`--allow edit\` allow changes in the workspace: the folder and those of \`--add-dir\`. Another place has to be named:
\`--allow 'write(/tmp/**)'\`; without that it is asked, and denied where nobody can be asked. \`--allow bash\` and \`--permission-mode allow-all\` reach
whatever you can reach, on this machine and in the network, except what is always asked ([gate](gate.md)).

## Slash commands in \`harness run\`

\`harness run "/audit last 5"\` runs a command of the server in place of a message and prints its answer.
A command that needs a session works on the one of \`--continue\` or \`--resume\`; one that sends a message to the agent, as those of files do,
makes a new session otherwise, and the others need none. An unknown command is an
error (exit code 2). A leading space makes a message of it: \`harness run ' /explain this'\`; so is \`/usr/bin is full\`.

${table(["command", "what it does", "needs a session"], commands)}

## Lines on stdin

With \`--input-format stream-json\` stdin holds lines: \`{"type":"prompt","prompt":"…"}\`, \`{"type":"cancel"}\`,
\`{"type":"permission_reply","permissionId":"…","outcome":{…}}\` and
\`{"type":"question_reply","elicitationId":"…","answer":"…"}\`. Where stdout has lines as well, a question of the agent is one of
them, \`{"type":"question",…}\` with the fields of \`elicitation/create\`. The answer is the number of an option, its words, or
other words; without an answer it is declined. After \`--question-timeout\` the agent decides itself.
`;
}
