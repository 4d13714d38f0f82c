import type { PolicyRule } from "../ports/policy.ts";
import { commandArity } from "../programs/command-arity.ts";
import { discardsWork, isGitConfigWrite } from "../programs/git-words.ts";
import { isQuietStatement } from "../programs/quiet-commands.ts";
import { isInterpreter, looseWrappers, runners, wrapperRows } from "../programs/wrapper-rows.ts";
import { programName } from "../shell/command-text.ts";
import type { Collected } from "./collect-commands.ts";
import type { FoundCommand } from "./found-command.ts";

/** What "always allow" would keep of a command: its tool, time and reason are the caller's to add. */
export type Proposal = Pick<PolicyRule, "argv" | "rest" | "match" | "not_match"> & { argv: string[] };

/** What a beginning of a command says too little about: where it writes, what it sends, what it starts. */
const tooWide: ReadonlySet<string> = new Set(
  "rm rmdir unlink shred truncate dd mv cp ln install tee tar zip unzip 7z gzip gunzip bzip2 xz patch split sort uniq chmod chown chgrp kill pkill killall curl wget aria2c nc ncat netcat socat ssh scp rsync sftp ftp telnet eval exec source . trap alias unalias set unset export declare typeset local readonly hash enable shopt find fd crontab at batch systemctl service mount umount sudo passwd useradd usermod gpg openssl ssh-keygen ssh-add pushd popd read mapfile let test [ [[ cd".split(
    " ",
  ),
);
const wideSubcommands =
  /^(?:git (?:config|filter-branch|filter-repo|rm|bisect|submodule|difftool|mergetool|credential|daemon|send-email)|(?:docker|podman|nerdctl|kubectl|oc|docker-compose) (?:run|exec|cp|attach|debug|container|image|build|system|buildx)|(?:docker|podman) compose (?:run|exec)|(?:npm|pnpm|yarn|bun) (?:exec|x|dlx|config|publish|pkg|link|create|init)|go (?:generate|tool)|(?:cargo|poetry|twine|gem|hatch|uv|flit) publish|mvn exec.*|gh (?:api|auth|alias|extension|secret)|(?:npm|pnpm|yarn|bun) run$|make -.*|uv (?:run|tool)|(?:poetry|pdm|hatch|pipenv|rye|conda|mamba|bundle) (?:run|exec))(?: |$)/;
const plainWord = /^[A-Za-z0-9_./:@%+,=-]+$/;
const MAX_PROPOSALS = 5;

/** One beginning for each command of the line, or none at all where one of them cannot be covered. */
export function proposalsFor(found: Collected, hasDanger: boolean): Proposal[] {
  if (found.problem !== undefined || hasDanger || found.commands.length === 0) return [];
  const proposals = new Map<string, Proposal>();
  for (const command of found.commands) {
    // Beside others a command that only looks needs no rule of its own.
    if (found.commands.length > 1 && command.words[0]?.text !== "git" && isLooking(command)) continue;
    const proposal = proposalFor(command);
    if (!proposal) return [];
    proposals.set(`${proposal.argv.join(" ")} ${proposal.rest}`, proposal);
  }
  return proposals.size <= MAX_PROPOSALS ? [...proposals.values()] : [];
}

function proposalFor(command: FoundCommand): Proposal | undefined {
  const { words, assignments, redirects, nested, behind } = command;
  if (nested || behind || assignments.length > 0 || words.length === 0) return undefined;
  if (redirects.some((each) => !isHarmlessRedirect(each))) return undefined;
  if (words.some(({ text, literal }) => !literal && /[$`{}]|[<>]\(/.test(text))) return undefined;
  const texts = words.map(({ text }) => text);
  const [program = ""] = texts;
  if (!isCoverable(program, texts)) return undefined;
  const arity = commandArity(texts);
  const argv = texts.slice(0, arity);
  if (argv.some((word, index) => !plainWord.test(word) || (index > 0 && word.startsWith("-")))) return undefined;
  // Fewer words than the command has in general would cover everything that it can do.
  const rest = argv.length < arity ? "none" : "any";
  const examples = texts.every((word) => plainWord.test(word)) ? [texts.join(" ")] : [];
  const beginning = argv.join(" ");
  return {
    argv,
    rest,
    match: [...new Set([beginning, ...(rest === "any" ? examples : [])])],
    not_match: [`${beginning}x`, `${beginning}; rm x`, ...(rest === "none" ? [`${beginning} x`] : [])],
  };
}

function isLooking({ words, nested, behind, assignments, redirects }: FoundCommand): boolean {
  if (nested || behind || assignments.length > 0 || redirects.some((each) => !isHarmlessRedirect(each))) return false;
  return words.every(({ literal }) => literal) && isQuietStatement(words.map(({ text }) => text));
}

function isHarmlessRedirect({ operator, target }: FoundCommand["redirects"][number]): boolean {
  return /&$/.test(operator) ? /^[012]$/.test(target.text) : target.text === "/dev/null" && !operator.includes("<<");
}

function isCoverable(program: string, texts: readonly string[]): boolean {
  const name = programName(program);
  if (isInterpreter(name) || wrapperRows.has(name) || looseWrappers.has(name) || tooWide.has(name)) return false;
  // A path inside the workspace is whatever is written there the next time.
  if (program.includes("/")) return false;
  const spoken = [name, ...texts.slice(1)].join(" ");
  if (wideSubcommands.test(spoken)) return false;
  if (runners.some((words) => words.every((word, index) => word === texts[index]))) return false;
  return name !== "git" || !(isGitConfigWrite(texts.slice(1)) || discardsWork(texts.slice(1)));
}
