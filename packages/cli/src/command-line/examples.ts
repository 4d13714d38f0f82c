import type { Subcommand } from "./subcommand-rows.ts";

/** Command lines to copy, each with an explanation if it needs one. */
export const examples: Record<Subcommand, readonly (readonly [line: string, doc: string])[]> = {
  window: [
    ["harness", "open the window in this folder"],
    ['harness "why do the tests fail?"', "open it and send a message"],
    ["harness -c", "continue the newest session of this folder"],
    ["harness -r", "choose a session from a list"],
    ["harness -m ollama/qwen3-coder", "use this model"],
  ],
  run: [
    ['harness run "fix the failing test"', "answer on stdout, steps on stderr"],
    ['git diff | harness run "review this"', "with piped input"],
    ['harness run -c "and now the docs"', "continue the newest session"],
    ["harness run --allow 'bash(npm test)' \"fix the build\"", "allow one command without asking"],
    ['harness run --json "list the TODOs" | jq .type', "one line of JSON per update"],
  ],
  repl: [
    ["harness repl", "quit leaves"],
    ["harness repl -c", "continue the newest session"],
  ],
  providers: [
    ["harness providers", ""],
    ["harness providers --json", "for programs"],
  ],
  models: [
    ["harness models", ""],
    ["harness models ollama", "of one provider"],
  ],
  "model add": [
    ["harness model add ~/models/qwen3-8b.gguf", ""],
    ["harness model add coder.gguf --name coder --yes", "without questions"],
  ],
  "model pull": [["harness model pull qwen3-coder", "with the Ollama that is running"]],
  "model rm": [["harness model rm coder", ""]],
  setup: [
    ["harness setup", "choose from a list"],
    ["harness setup -u http://192.168.1.20:11434", "use the server at this address from now on"],
  ],
  doctor: [
    ["harness doctor", ""],
    ["harness doctor -m ollama/qwen3-coder", "test this model"],
  ],
  index: [
    ["harness index", "needed once; searches bring it up to date"],
    ["harness index --json", "for programs"],
  ],
  "index status": [["harness index status", ""]],
  "index rm": [
    ["harness index rm", ""],
    ["harness index rm notes", "a collection"],
  ],
  "index add": [["harness index add ~/notes --name notes", ""]],
  "index list": [["harness index list", ""]],
  search: [
    ['harness search "where are retries limited?"', ""],
    ["harness search 'parse a date' --path src --language ts", "only these files"],
    ['harness search "book a room" --in notes', "only this collection of documents"],
    ['harness search "open the database" --json --limit 10', "for programs"],
  ],
  "services start": [["harness services start", ""]],
  "services stop": [["harness services stop", ""]],
  "services status": [["harness services status", ""]],
  usage: [
    ["harness usage", "today"],
    ["harness usage --day 2026-11-21", ""],
  ],
  audit: [
    ["harness audit --last 20", ""],
    ["harness audit --session 20261121-101502-ab", "of one session"],
  ],
  trust: [
    ["harness trust", "show and decide"],
    ["harness trust --list", "show only"],
    ["harness trust --forget", "undo the decision"],
    ["harness trust --provider corp --grant CORP_TOKEN", "a secret for its provider"],
  ],
  "auth list": [
    ["harness auth list", ""],
    ["harness auth list openai", "of one provider"],
  ],
  "auth set": [
    ["harness auth set openai", "asks for the key"],
    ["pass show openai | harness auth set openai", "from a password manager"],
  ],
  "auth rm": [["harness auth rm openai", ""]],
  "auth login": [["harness auth login anthropic", ""]],
  "agents list": [["harness agents list", ""]],
  "agents show": [["harness agents show reviewer", ""]],
  "agents test": [['harness agents test reviewer "look at src/main.ts"', ""]],
  sources: [["harness sources", ""]],
  hooks: [["harness hooks", ""]],
  "hooks why": [["harness hooks why tool_exec", ""]],
  tools: [["harness tools", ""]],
  "plugin new": [
    ["harness plugin new tool count_lines --lang python", ""],
    ["harness plugin new hook guard --stage tool_exec", ""],
  ],
  "plugin test": [["harness plugin test .harness/tools/count_lines", ""]],
  attach: [
    ["harness attach", "the session that waits for you"],
    ["harness attach 20261121-101502-ab", ""],
    ["harness attach 20261121-101502-ab --json", "what happens there, as lines"],
  ],
  stop: [["harness stop 20261121-101502-ab", ""]],
  "session list": [
    ["harness session list --since 7d --model qwen", ""],
    ["harness session list --archived --all", "the archive"],
    ["harness session list --deleted", "the bin"],
  ],
  "session show": [["harness session show 20261121-101502-ab", ""]],
  "session resume": [
    ["harness session resume 20261121-101502-ab", ""],
    ['harness session resume "the parser bug" "go on"', "by its title"],
  ],
  "session fork": [["harness session fork 20261121-101502-ab", ""]],
  "session dir": [["harness session dir 20261121-101502-ab", ""]],
  "session search": [
    ["harness session search parser cache", "messages with both words"],
    ["harness session search '\"exact words\"' --json", "for programs"],
    ["harness session search parser --folder ~/project --since 2026-11-01", ""],
  ],
  "session rename": [["harness session rename 20261121-101502-ab The parser bug", ""]],
  "session delete": [
    ["harness session delete 20261121-101502-ab", ""],
    ["harness session delete 20261121-101502-ab --now", "for good"],
  ],
  "session restore": [["harness session restore 20261121-101502-ab", ""]],
  replay: [
    ["harness replay 20261121-101502-ab", "ends with 1 where something differs"],
    ["harness replay 20261121-101502-ab --json", "for scripts"],
  ],
  "session fsck": [
    ["harness session fsck --all", ""],
    ["harness session fsck 20261121-101502-ab --repair", ""],
  ],
  "session archive": [["harness session archive 20261121-101502-ab", ""]],
  "session unarchive": [["harness session unarchive 20261121-101502-ab", ""]],
  "session export": [
    ["harness session export 20261121-101502-ab -o talk.html", ""],
    ["harness session export 20261121-101502-ab --format json -o -", "on stdout"],
  ],
  "session import": [
    ["harness session import --from claude", "lists them"],
    ["harness session import session.jsonl --cd ~/project", "takes one over, to go on in this folder"],
  ],
  import: [
    ["harness import", "asks"],
    ["harness import --list", "only looks"],
  ],
  agent: [['harness agent "fix the failing test"', ""]],
  "mcp list": [["harness mcp list", ""]],
  "mcp add": [
    ["harness mcp add files -- npx -y @modelcontextprotocol/server-filesystem .", "a command"],
    ["harness mcp add docs --url https://example.com/mcp", "a server on the web"],
  ],
  "mcp rm": [["harness mcp rm files", ""]],
  "mcp login": [["harness mcp login docs", ""]],
  "mcp test": [["harness mcp test files", ""]],
  "mcp logs": [["harness mcp logs files --last 20", ""]],
  acp: [["harness acp", "as the command of an agent in the settings of an editor"]],
  web: [
    ["harness web", "a page for this machine; its link is printed"],
    ["harness web --lan --tls-cert page.pem --tls-key page.key", "also for a phone in the network"],
  ],
  serve: [
    ["harness serve --stdio", "one client, on stdin and stdout"],
    ["harness serve --listen", "any number of clients, on a socket whose path is printed"],
    ["harness serve --stdio --listen", "leads to that server, which goes on when this is cut"],
  ],
  help: [
    ["harness help run", "usage of a command"],
    ["harness help flags", "every flag"],
    ["harness help exit-codes", "what the exit codes mean"],
  ],
  version: [["harness version", ""]],
  sessions: [
    ["harness sessions", ""],
    ["harness sessions --all", "of every folder"],
    ["harness sessions --json", "for programs"],
  ],
  completion: [
    ["harness completion bash > ~/.local/share/bash-completion/completions/harness", ""],
    ["harness completion zsh > ~/.zfunc/_harness", "with ~/.zfunc in fpath"],
    ["harness completion fish > ~/.config/fish/completions/harness.fish", ""],
  ],
  man: [
    ["harness man", "read it"],
    ["harness man > ~/.local/share/man/man1/harness.1", "install it"],
  ],
};
