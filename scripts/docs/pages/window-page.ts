import { screenDocs } from "@harness/tui/docs";
import { generated, table } from "./markdown-table.ts";
import { pictureMarkup } from "./picture-markup.ts";

const homeText = `## Home

${pictureMarkup("home", "Home: the model, recent sessions, and what to do next")}

Home shows:

- the model, with its context window and, where it is known, its price, and the permission mode in words;
- the instruction files that the agent gets. Those of a folder you do not trust are read as information only;
- what is not committed, and what was committed since your last session here;
- recent sessions: title or first words, the first line of the last answer, lines added and removed, and \`script\` for sessions
  that were not started in a window. ↓ marks one, Enter opens it;
- three tips, which change every hour.

## Without a model

Home, and \`/model\` below the list of models, offer what you can do: use a server that was found, enter an API key, log in, type a server's
address (harness detects its kind), or choose a \`.gguf\` file. ↑↓ and Enter choose, Esc goes back. You can also paste a key into the list: it
is not shown, and the next page asks which provider it belongs to.

A message that you sent without a model stays in the input and is sent once there is one. Until then harness looks for local servers every
few seconds; the first one that starts is used, and a line above the input says so.
`;

const answeringText = `## Agents

Ctrl+X A shows the agents of the session. Enter opens one: you see its transcript as it grows, and what you type goes to that agent
([agents](agents.md)).

## Typing

Steering the agent while it works, history, your own editor, drafts, vim keys and shell commands are described in [input.md](input.md).

## Answering

A permission dialog shows the command or the change once, in the colours of its language, and says in words what it does. It has four answers in
sight ([gate](gate.md#answers)): yes; yes for all like it; no, and what to do instead; stop. \`m\` shows the others. A letter marks an answer, and Enter
gives it, or \`yy\` and \`nn\`: any other letters after it begin a message. \`n\`, a pause and words deny with these words; Esc stops at once. If there is more to see, End shows it. Inline, a dialog may take all rows.

In a question, ↑↓ or a number marks an answer, Space selects several where that is possible, and you can type an answer of your own. Enter
sends. The conversation shows a question once it is answered, with the answer. At the end of planning the plan stands in the dialog (PgDn scrolls), with three
answers: edits allowed, ask before each edit, keep planning; words of your own go back to the agent.

A dialog never takes what you meant for the input: it waits while you type, a second character makes a message of what you type, and it takes no
answer while the input holds a draft. Esc leaves the draft. A question that takes words of your own takes them as its answer. harness ignores an
answer that comes too early, such as the second \`y\` of a fast \`yy\`. In a terminal too small to draw anything (below 24×5), keys do nothing; Ctrl+C still works.

Shift+Tab changes the [mode](modes.md) and says what the new one does.
`;

const terminalText = `## Beside the screen

- **Title.** The terminal's title names the session, with \`●\` while the agent works and \`?\` while it waits for you (\`window_title\`).
- **Notifications.** When the window is not in focus, you are notified of questions and of the end of turns that took 20 seconds or more
  (\`notify_after_secs\`): by a desktop notification in kitty, iTerm2, WezTerm, Ghostty, Windows Terminal, foot and rxvt, over ssh too, and by
  the bell elsewhere and inside screen and Zellij (\`notifications\`). Inside tmux both are sent: it passes on the notification if its option
  \`allow-passthrough\` is on.
- **Progress.** Terminals that can show in their tab that work is in progress (\`terminal_progress\`).
- **Status row.** Git is on the left, the model and its context window on the right. Changes by other programs appear within a second; in
  large repositories up to 4,000 folders are watched, those below the working folder first. \`hud_hide\` leaves parts out, and \`statusline\`
  replaces the row with the output of a command of yours, which gets the session as JSON on stdin, in the format of Claude Code. With \`jq\`,
  in \`~/.config/harness/settings.json\`:

  \`\`\`json
  { "statusline": "jq -r '[.model.display_name, .git.branch, .permission_mode] | map(values) | join(\\" · \\")'" }
  \`\`\`

## Inline

\`harness --inline\`, or the setting \`inline\`, draws the window below the output of your shell instead of on a screen of its own. Finished
messages are printed once and then belong to the terminal: its scrollback, search and selection work on them. Only what can still change
stays below: the reply in progress, dialogs, the input and the status row. Without any drawing, in plain lines: [\`harness repl\`](command-line.md#plain-lines).

- A call is printed when it has ended and all before it have; calls that only look when the next one does more, or the model says something.
- Lists and screens (\`/model\`, Settings, History) open in the same place and disappear when they close.
- Opening a session prints its last 60 entries.
- What was printed cannot change: Ctrl+O works only on what is still below, \`/rewind\` adds a line that says what is replaced, and a
  narrower terminal wraps the rows above.
- Images are shown as a line of text.
`;

const messageText = `## Files in a message

| you type | what is sent |
| --- | --- |
| \`@src/a.ts\` | the file |
| \`@src/a.ts#10-40\`, \`@src/a.ts#L10-L40\` | lines 10 to 40 |
| \`@src/\` | the names in the folder |
| \`@shot.png\` | the image |
| \`@"a name with spaces"\`, \`@"a name"#3\` | any of these |

The transcript keeps the short form. A file that was sent counts as read, so the agent can edit it at once. An \`@\` that names no file, as in
\`@types/node\`, stays plain text; if it looks like a file, as in \`@gone.txt\`, the window warns you that there is none and that
the message goes without it. The server reads the files, so this works in every client and in \`harness run\`.

Only files that the agent may read without asking are sent. A message is refused, and stays in the input, if it mentions a file outside the
workspace, one that may hold secrets, or one over 1 MB (images: ten, 20 MB each). It is also refused if a file is missing whose name can only be a path:
\`@./gone.txt\`, \`@"gone.txt"\`, \`@gone.txt#10\`, or \`@src/gone.txt\` where there is a folder \`src\`. Before you send, the files are listed above
the input with their size in tokens, problems in red.

## Images

Ctrl+V adds the image in the clipboard. Pasting a path, or dropping a file on the window, adds that file, and so does \`/image PATH\`. \`/image\` lists
the images of the message, \`/image drop 2\` removes one and \`/image clear\` all; Backspace in the empty input removes the last one.

A message takes ten images of up to 20 MB (PNG, JPEG, GIF, WebP, BMP). They are turned upright and scaled down to what models accept. If the
model is known not to see images, the window says so before you send.

The clipboard is read with \`wl-paste\`, \`xclip\`, \`pngpaste\`, \`osascript\` or PowerShell. If there is none of these, as over SSH, the terminal is asked
(OSC 5522, kitty). Some terminals keep Ctrl+V for themselves: drop the file or use \`/image\`.

The transcript shows images of messages and of tool results in kitty and Ghostty (kitty graphics), iTerm2, WezTerm and mintty (OSC 1337), and in
terminals with sixels (foot, Konsole, Windows Terminal, tmux with sixels …); everywhere else it shows their name and size.
`;

const transcriptText = `## The transcript

${pictureMarkup("chat", "Chat: a diff, the agent's tasks, its answer")}

- **Turns.** A turn ends with one line: time, tokens, cost, and the files changed with lines added and removed. Ctrl+O lists the files. If the
  turn failed or was stopped, the line says why.
- **Calls.** Calls that only look are grouped ("Explored 4 files, 2 searches"). A call that took a second or more shows its time. Long output
  shows its first and last lines, and "thought for 12 s" hides the thinking; Ctrl+O unfolds what you see.
- **Progress.** The rows above the input show what the agent does, its current task (Ctrl+T shows all), running subagents and background
  commands.
- **Diffs** have syntax colours, and changed words stand out. Each change is shown with three lines around it, up to twelve after Ctrl+O.
  From about 125 columns the old and the new file are side by side. With 16 colours or none, \`+\` and \`-\` mark the lines.
- **Markdown** includes task lists, tables and footnotes; formulas stay as written. Links are clickable where the terminal supports OSC 8
  and 256 colours. Ctrl+X Y, or \`/copy code\`, copies the code of the last answer that contains some.
`;

const mouseText = `## Copying

With the mouse: drag to select, double-click for a word, address or link, triple-click for a line, over all the rows that they take. What is
copied is what was written: rows of one line are joined, and the window's margins are left out, so are the numbers and signs of a diff (of its
two columns, you get the one in which you began). The text is copied when you release the button; with
\`copy_on_select\` off, press Ctrl+C. Inside tmux it reaches your terminal if \`set-clipboard\` or \`allow-passthrough\` is on there.
Copying uses OSC 52, and a terminal does not report whether it accepted the text: if your clipboard stays
empty, hold Shift (Option on macOS) while selecting, or set \`mouse\` to \`off\` and use the terminal's own selection.

With keys: Ctrl+Space shows a cursor, the arrows move it (and scroll at the edges), Space starts the selection, Enter copies.

Alt+R, Ctrl+X R or \`/raw\` shows the conversation unwrapped and without margins in the terminal's own screen; Enter returns.

\`/copy\` copies whole answers, \`/export\` writes the conversation to a file, and \`exit_screens\` leaves the last screens of the conversation in the
terminal when you quit.

## Clicking

With \`mouse\` set to \`full\`, a click

- folds or unfolds what you click on;
- on a file in the last line of a turn shows the changes in that file;
- in the input moves the cursor;
- on "↓ 12 more rows · 3 new" jumps to the end.

The conversation follows new text unless you have scrolled up. It follows again once you reach the end, send a message or run a command with \`!\`.

## Searching

Ctrl+F in the empty input, or \`/find WORDS\`, searches the conversation while you type, from the end upwards. Case does not matter. Folded text is
searched too, and unfolded where a match is shown. Enter ends typing; then \`n\` goes to the match above, \`N\` to the one below, \`/\` changes the words
and Esc closes the search without scrolling back. You can scroll and use Ctrl+O meanwhile.
`;

const screensText = `## Settings

${pictureMarkup("settings", "Settings, in groups")}

## History

${pictureMarkup("history", "History: stored sessions")}

Type, and History [searches](sessions.md#search) titles and everything said: messages, answers, commands and file names. Passages stand below the title of their
session, the words marked. Enter opens the session at the passage; \`n\` and \`N\` go on to its other matches, as in a search of the conversation.

- **Filters.** Tab shows the sessions of all folders, or of this one again. Shift+Tab goes on to the archive, the [bin](sessions.md#the-bin),
  the sessions of [other programs](sessions.md#import), which Enter imports, and back. Among the words, \`model:qwen\` keeps sessions with this
  model, and \`since:7d\`, \`since:2w\`, \`since:today\` or \`since:2026-11-01\` those that went on since then.
- **Forks** stand below the session that they began from, and so do sessions that follow another. ← folds them, → unfolds them.
- **Several at once.** Space marks a session, Ctrl+A all that the filter finds, also those that are not loaded yet; of a search for words, those with the best
  passages. Del, Ctrl+T and Ctrl+G then delete, archive or export all of them. While you type, Space is a blank; after an arrow it marks.
- **The bin** has deleted sessions for 30 days, with the days that are left. Enter brings one back; Del removes it for good, after a question. In the other lists
  Ctrl+_ takes back the last deletion or archiving.
- **Preview.** The first and last messages of the selected session, or those around the passage. Shift+↑↓ scroll it; Ctrl+O shows it on the whole screen.
- **Mouse.** A click selects, a second one opens; in the mark column it marks. The wheel scrolls what it is over.
`;

/** The page of the window. */
export function windowPage(): string {
  return `# The window

${generated}## Screens

${table(["screen", "key", "what it is for"], screenDocs())}

Every key is listed in [keys](keys.md), every slash command in [slash commands](commands.md).

${homeText}
${transcriptText}
${answeringText}
${messageText}
${mouseText}
${terminalText}
${screensText}`;
}
