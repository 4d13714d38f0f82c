import { generated } from "./markdown-table.ts";
import { modeTable } from "./mode-table.ts";
import { pictureMarkup } from "./picture-markup.ts";

/** How calls are decided. */
export function gatePage(): string {
  return `# The gate

${generated}Every tool call passes the gate, in every mode and from every agent. The gate does not look at the tool's name but at the effects of the call:
the paths it reads or writes, the command it runs, the address it contacts, the money it spends. The code is in \`packages/gate/src\`;
\`packages/gate/src/decide.ts\` is the order below as one pure function.

## What am I asked, and how do I stop it?

| you are asked about | to be asked less |
| --- | --- |
| a command, such as \`npm test\` | "always" (\`r\`) in the dialog, \`/permissions allow bash(npm test)\`, or \`/command add npm test\` for every project |
| edits in your workspace | \`a\` in the dialog for this turn, Shift+Tab to "edits allowed", or \`--allow edit --allow write\` |
| everything, in a container | \`--permission-mode allow-all\`; or \`sandbox\` \`on\` and "commands in sandbox" |
| reading or writing elsewhere | \`--add-dir FOLDER\`, or a rule that names the place: \`write(/tmp/**)\` |
| an address | \`/permissions allow web_fetch(docs.example.com)\` |
| tools of an MCP server | \`/permissions allow mcp(github/get_*)\` |
| a file that may hold secrets | a rule that names it: \`read(.env)\`, \`bash(cat .env)\` |
| a protected file, \`sudo\`, a push by force | nothing: you are asked each time |

In \`harness run\` nobody can be asked: what is not allowed is denied, and stderr says by what. \`/audit\` and \`harness audit\` explain each decision,
and \`/permissions\` lists the rules in force.

## How a call is decided

The first step that applies decides. Deny is stronger than ask, and ask is stronger than allow, whatever file a rule comes from and however exact
it is.

1. **Mode.** If the agent's mode does not have the tool, the call is denied, and the model is told how to leave the mode ([modes](modes.md)).
2. **Deny rules.** They are read broadly: they match any command in a line, also inside \`$(…)\`, loops or \`bash -c\`; a path as written and as
   links resolve it; and what a command reads and writes, as far as its words show. A rule for reading is about every word of every program that
   names the file, also after \`{a,b}\`, \`[ab]\`, \`~\` and quotes, behind \`--flag=\`, \`@\` and \`HEAD:\`, and within a program given as text; a command that
   may read the file without naming it (\`xargs cat\`, \`find -exec\`, \`cat "$f"\`, \`tar c .\`, a pattern that could stand for it) is asked about, in every mode and whatever allows it. So is a command that may write where a rule denies it: \`git stash\`,
   \`git merge\`, \`git checkout main\` and others change any file of the work tree. A rule for a command also denies it within a text for a program that
   starts others (\`sqlite3 x '.shell git push'\`, \`awk 'BEGIN{system("git push")}'\`).
3. **Hooks.** A hook of \`hooks.d/tool_exec\` before \`10-exec\` that denies, fails or takes longer than 30 seconds denies the call; those in the format of Claude Code
   have their own exit codes and limits ([hooks](hooks.md#hooks-in-claude-codes-format)).
4. **Sandbox.** If \`sandbox\` is \`on\` and does not work, commands are denied.
5. **Always asked** (in mode \`deny\`: denied), whatever else allows it:
   - writing to a protected place, replacing or changing a device such as \`/dev/null\` (opening it is harmless), running as another user, changing the whole machine or a whole folder of yours, overwriting or
     deleting what others have pushed, starting processes without end, leaving the sandbox;
   - whatever an ask rule covers;
   - a call that the model wrote as text;
   - contacting a host after a file that may hold secrets was read, or a git command that you allowed printed files without leaving secrets out;
   - every call, while a file that may contain deny rules cannot be read, or the audit log cannot be written.
6. **Reading.** Calls that only read inside the workspace, and no secrets, run. So do commands that only read (below) and those that you have
   added to them (\`safe_command_prefixes\`). With \`strict\` you are asked.
7. **Allow rules** and earlier answers. They are read narrowly: they must cover every command of the line word by word, and the real path.
8. **Permission mode.** It allows or denies the call.
9. **You** are asked. If nobody can be asked, the call is denied and the model is told.

A compound command is treated like its strictest part. An allowed call is checked once more right before it runs, because links, rules or the mode
may have changed. Paths are resolved to the real file, and the tool touches no other. Of programs that are given paths by name, only that is shown which
came from there: each line that \`grep\` finds is read again from the file that was judged, and if a folder or file on the way of a command that only reads
is exchanged while it runs, its output is not shown (Linux).

If a folder of the workspace is replaced by a link to another place during a session (\`rm -rf W; ln -s E W\`), every call that touches files
stops, whatever the mode and rules, until you confirm the new place; your answer holds until the session closes. \`harness run\` denies such
calls. A folder that is deleted and created again counts as the same one. It is fine if the workspace is itself a symbolic link.

## Permission modes

What happens to a call that no rule or answer covers, when the sandbox works:

${modeTable()}

- \`auto-in-sandbox\` runs a command without asking only if the sandbox works and contains it.
- \`allow-all\` also reads and writes files that may hold secrets, such as \`.env\`. If there are deny rules for commands or files, it asks about
  commands that it cannot understand completely.
- Set the mode with \`permission_mode\`, \`--permission-mode\`, or Shift+Tab in the window ([modes](modes.md)). Open permission requests are decided
  again when it changes.

### Outside the workspace

The workspace is the session's folder and the folders added to it. Reading elsewhere is asked about; writing elsewhere is a high risk.

- A rule that names only a tool (\`--allow write\`, \`--allow edit\`, \`--allow '*'\`) covers writing in the workspace. Name any other place:
  \`--allow 'write(/tmp/**)'\`. \`--allow read\` covers reading anywhere, except files that may hold secrets.
- A command is covered by its words: with \`--allow bash\` every command may change files anywhere, except what is always asked about and what names
  secrets.
- \`allow-all\` allows everything everywhere, except for the last column of the table. Use it in a container, or set \`sandbox\` to \`on\`.

## Forms of rules

| rule | covers |
| --- | --- |
| \`bash(npm test)\` | commands that begin with these words |
| \`read(src/**)\`, \`write(src/**)\` | files, relative to the workspace |
| \`web_fetch(docs.example.com)\`, \`web_fetch(*.example.com)\` | a host; its subdomains |
| \`mcp(github/create_issue)\`, \`mcp(github/get_*)\`, \`mcp(github/*)\` | tools of an [MCP server](mcp.md), by the server's names; \`*\` stands for any characters |
| \`mcp__github__create_issue\`, \`mcp__github__*\`, \`mcp__github\` | the same, by the names that the model sees and other programs use |
| \`mcp\` | every tool of every MCP server |
| \`write\`, \`*\` | every call of a tool; of all tools |

A rule about a command covers whatever follows its words, except for

- flags that start programs, load code or settings from elsewhere, write to a chosen place, or name another host, folder or repository, in any spelling
  (\`git rebase -x\`, \`npm test --node-options=…\`, \`make test --eva=…\`, \`pytest -qc x.ini\`); a table has those of known programs, and of others the
  name of the flag decides (\`--config\`, \`--plugin\`, \`--output\`);
- a pattern that could bring such a flag with it, as a file may be called \`--config=x.js\`: \`eslint *.js\`, but not \`eslint src/*.js\` or \`./*.js\`;
- an address, or for git a path, where the name of a remote is usual: \`git fetch https://…\`, \`git push ../other\`;
- files of another folder, where the program runs or rewrites what it is given: \`prettier --write ~/x\`, \`pytest ../x\`, \`npm run lint -- /etc\`;
- variables before the command, and commands that it starts and the rule does not name: \`timeout 60 npm publish\` for \`bash(timeout 60)\`.

A rule that names such a flag covers it: \`bash(make -C sub test)\`. A rule for a whole program with subcommands, such as \`bash(git *)\`, covers all of
it, except for what starts programs or loads settings from elsewhere: \`git -c alias.x=…\`, \`bisect run\`, \`submodule foreach\`, \`difftool\`, \`maintenance\`.
An alias from your git settings or the repository's is judged as what it stands for, by every rule; where git cannot tell its aliases, it asks.
Only rules of a run (\`--allow\`) cover what is dangerous: there \`bash(rm)\` lets \`rm -r dist\` run. No rule of any kind covers a dangerous flag of a program
that only reads unless it names the flag (\`find -exec\`, \`git log --output\`, \`rg --pre\`, \`git -c\`), or what is always asked about.

harness cannot know what the tool of an MCP server does. Each call is asked about as a medium risk, in every mode but \`allow-all\`. A server's claim
that a tool is harmless changes nothing; its claim that a tool is destructive makes it a high risk. Allow rules match exactly, and are
for one configuration of a server ([MCP](mcp.md#permissions)); ask and deny rules ignore case.

## Answers

A dialog has four answers in sight; \`m\` shows the others in full, with what each covers.

| answer | key | digit | covers |
| --- | --- | --- | --- |
| yes, once | \`y\` | 1 | this call |
| yes, and all edits in this session | \`a\` | | what the mode "edits allowed" allows, from now on ([modes](modes.md)); Shift+Tab does the same |
| yes, and don't ask again | \`r\` | 5 | what the dialog says, for this project: commands that begin with these words; exactly this command, in this folder; a tool below a folder; a host ([policies](policies.md)) |
| yes, in this session | \`s\` | 2 | the same tool in the same folder or at the same host; a command with exactly this text; this tool of an MCP server |
| yes, until this turn ends | \`t\` | 4 | all edits of ordinary files in the workspace |
| no, tell it what to do instead | \`n\`, \`d\`, \`w\`, Tab | 3 | this call; the model reads your words, and Enter alone says only no |
| no, and never | \`x\` | 6 | the same as "don't ask again", denied |
| stop | Esc | | this call and the turn |

${pictureMarkup("command-card", "The permission dialog for a command: what it starts, reads and writes, and what the answers cover")}

- A letter or a digit marks its answer, and so do ↑↓; Enter gives the marked one, which is on the screen by then: at first "once", or "no" if the
  risk is high. A digit means the same answer in every dialog. Backspace takes the letter back. An answer whose row is too narrow for all that it
  covers is shown in full first.
- A risk is only named where it is high, with its reason. "/undo …" is only said where something is at stake that it does not revert.
- What reads like a message answers nothing, however it arrives. A second character after a letter, any character that is no answer, and a paste begin
  a message in the input below; letters and their Enter that come in one piece answer nothing either.
- While the input holds a draft it keeps the keys, and Enter sends it; Esc moves to the dialog. An answer typed before the dialog appeared is dropped, and
  the dialog says so.
- You can answer once the terminal has shown the dialog, and allow once it has shown its end: a frame counts when the terminal has taken it and, if it is
  one that reports its status, has said so. In a terminal that is too small, or does not read, keys do nothing.
- "This session" and "always" are offered only if they would allow the same call next time, and never for a high risk. "Don't ask again"
  is offered for the beginning of a command, else for exactly the line as it is written (\`cc main.c && ./a.out\`, \`make -j2 all\`); not for commands
  that start others, run code given as an argument, remove files, reach a host, or cannot be understood completely.
- Of many files, those that are protected, secret or outside are named first, and all of them; the others are counted. A lasting answer is offered for
  at most three places, or for the one folder that has them all.
- Hidden characters are shown. \`/permissions\` lists rules and answers and removes them.
- Up to 16 requests of a session are open at once, from the main agent and subagents; each says who asks. Any client can answer, in any order,
  and the first answer counts.
- Whatever can change a decision (a lasting answer, a rule, a setting, a mode, trust, a secret that was read) has all open requests decided again.
- An edit that would fail, such as one of text that is not in the file, is not asked about: the model is told at once, also where nobody can be asked
  or the mode is \`deny\`.

## Commands that only read

Two readers look at a command:

- The strict reader knows the part of bash that has only one meaning: plain and quoted words, \`&& || ; |\`, \`2>&1\`, \`>/dev/null\`,
  \`< name\`, \`a{b,c}\`, \`$?\`, \`for x in a b; do …; done\` over plain words, and comments. A command runs without asking only if this reader
  understands all of it and a table knows every program, flag and operand in it.
- The other reader is a full grammar of bash, loaded when the strict one is not enough. It can only make decisions stricter: deny rules, what the dialog
  shows, and what "always" offers use it.

harness runs its own reading of the command, not your text: every word is quoted, loops are unrolled, patterns become the names they match, programs
become their paths outside the workspace, and variables that load code (\`LD_PRELOAD\`, \`GIT_*\`, \`NODE_OPTIONS\` …) are removed. git runs without the hooks, pagers,
filters and file watchers that the repository configures, and it passes over secret files, those of the past too: \`git log -p\`, \`git show\`,
\`git diff\`, \`git stash show -p\` and \`git grep\` leave them out. \`git show a1b2c3d\` runs where that is a commit; a hash or a tag of a file or a
folder does not say what it is called, so it is asked about, and what runs is bound to be a commit. What cannot leave secrets out is asked
about as well (\`git log -p --follow\`, \`git format-patch\`). A line that means and prints the same in every shell is run by \`/bin/sh\`, which often starts
sooner than bash.

[Lists of the gate](gate-lists.md#commands-that-only-read) names them.

\`/command add npm test\` adds to them, and saves just that in \`safe_command_prefixes\`. What you add covers as much as a lasting rule would: not
flags that start programs or reach elsewhere, nothing that names secrets or is always asked about, and nothing behind a \`cd\`. It cannot change what the table
says about a program or subcommand that it knows: \`git push\` can be added, \`sed -i\` cannot, and \`/command\` says so. \`/command rm ls\` has \`ls\`
asked about again. \`/command deny\` fills \`denied_command_prefixes\`, and \`auto_accept_safe_commands\` (\`/autoaccept\`) turns the whole list off.

## Protected and secret places

**Protected** places are asked about before every write, because a program would run what was written, or do what it says: git hooks, settings of
harness, editors and other agents, files of build servers and package managers, start-up files of shells, \`/etc\` and others. What you run yourself, such as a
Makefile, the scripts of \`package.json\` or a test, is the project's code and not protected.

**What runs by itself** is protected as well: the files of the workspace that hooks, MCP servers, the status row, \`editor\`, \`environment_command\` and (where it may run without a sandbox) \`check_command\` have something run, as far as
their words name them ([hooks](hooks.md) has the forms), programs of extensions, and the folder of git's \`core.hooksPath\`. That holds for what you have set
up yourself, and for a project that you trust. So are the folders of your home folder in which your shell finds programs (\`~/bin\`, and those on
\`PATH\`), if they are not the project's own.

**Secret** places are asked about before every read, also in the sandbox; searches pass over them, and checkpoints never have them: \`.env\`, keys and
certificates, \`.ssh\`, \`.aws\`, the data of browsers, histories of shells and others.

[Lists of the gate](gate-lists.md#protected-places) names all of them.

A secret place in a command is recognised in every spelling: \`src/../.env\`, behind an unknown flag, \`--file=.env\`, \`@.env\`, \`$HOME/.ssh\`, in
quotes, braces, patterns such as \`.e*\`, or in a command that it starts. An allow rule covers it only if the rule contains that very word, as
\`bash(cat .env)\` and \`bash(docker run --env-file .env)\` do. What the words do not show (\`tar -c .\`) is not recognised.

## The sandbox

\`sandbox\` is \`off\`, \`auto\` (used if it works; harness says so if not) or \`on\` (no commands without it). On Linux it needs bubblewrap, and socat if
\`sandbox_domains\` names hosts (\`apt install bubblewrap socat\`); on macOS it uses sandbox-exec. harness tests it by running something in it.

A command in the sandbox

- can change files in the workspace and in a temporary folder of its own, nowhere else, and not the protected places
  (\`.git/hooks\`, \`.git/config\`, \`.harness\` …), at any depth; it cannot create protected folders at the top either;
- does not see your keys, harness's configuration, histories, or what is secret in the workspace by name or place, at any depth. (An \`.npmrc\` without a
  password is readable: npm needs it.) What is in \`node_modules\`, in git's objects, or in files with other names is seen;
- has no network, or only the hosts in \`sandbox_domains\` through a proxy, and sees no other processes;
- leaves nothing running.

A command that needs more is asked about and then runs outside: the model calls \`bash\` with \`outside_sandbox: true\`, a parameter that exists only while there
is a sandbox (\`parallel\` and \`pattern\` are then left out). A command in the sandbox may see empty folders called \`.vscode\`, \`.husky\`, \`.idea\`,
\`.devcontainer\` or \`.harness\`: they stand in place of protected ones that do not exist.

The sandbox is not a virtual machine: the kernel is shared and other files can be read. A protected file that does not exist yet (\`sub/.npmrc\`) can be
created while the command runs; afterwards it is renamed to \`NAME.set-aside\`, wherever it is, however it got there, and the result says so. That holds for
everything that appeared meanwhile, also by another program. Of a new repository only hooks and a configuration that names programs are set aside, and of a
rebase in progress a list with new \`exec\` lines. \`node_modules\` is not looked through.

A workspace with more than 20,000 folders (without \`node_modules\`), or more than 300 protected or 300 secret files, cannot be protected as a whole: there
commands do not run in the sandbox, and are asked about.

On macOS, Apple calls sandbox-exec deprecated. Our tests check what the text of the profile allows and denies, but we have not tried it on every version of
macOS: have the agent run \`touch ~/outside\` before you rely on it.

Without the sandbox commands have your rights. With or without it they get no keys from the environment, no input and a time limit, and everything
they started ends with them.

## What the gate does not protect you from

- What you allow. A build or a test runs the project's code with your rights, unless the sandbox is on.
- A program on your \`PATH\` that is not what its name says, and a compromised system.
- What a command does that its words do not show. \`make\` may do anything; that is why you are asked.
- git commands that you allow: they run the repository's hooks and filters. git commands that run without asking do not.
- Secrets in files whose names do not show it, and what leaves with a request that you allow.
- Persuasion. A page or a file can talk a model into asking you for something. The dialog shows what it would do: read it.
- Other programs that change files during a turn.

See also: [web](web.md) for \`web_fetch\` and what leaves this machine, [policies](policies.md) for lasting rules and the audit log,
[undo](undo.md), and [trust](trust.md) for what a folder's own files may do.
`;
}
