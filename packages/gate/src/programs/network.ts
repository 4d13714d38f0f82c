import { foldersAmong } from "./arguments/folders.ts";
import { operandsOf } from "./arguments/operands.ts";
import type { Programs, Warning } from "./program.ts";
import { editorStarts } from "./starts/editor-text.ts";
import { addText, joinWords, type StartReader } from "./starts/started-commands.ts";

/** Options of ssh and the like whose value is a separate word. */
export const sshValues = /^-[a-zA-Z]*[BbcDEeFIiJLlmOoPpQRSWw]$/;
const curlValues =
  /^(?:-[a-zA-Z]*[AbcCdDeEFHKmoPQrtTuUwxXyYz]|--(?:data|header|output|form|user|request|user-agent|referer|cookie|cookie-jar|max-time|connect-timeout|retry|proxy|upload-file|write-out|config|cacert|cert|key|resolve|range|url-query|json|data-[a-z]+))$/;
const wgetValues =
  /^(?:-[a-zA-Z]*[OoaePtTwUQADIX]|--(?:header|output-document|user-agent|post-data|post-file|timeout|tries))$/;

const sendsData = "sends data to the network";
const talksDirectly = "talks to the network directly";
const sendsMail = "sends mail";
const changing = /^(?:-X|--request=?)?(?:POST|PUT|PATCH|DELETE)$/i;

const sendsWith =
  (...options: readonly RegExp[]): Warning =>
  (args) =>
    args.some((word) => options.some((option) => option.test(word))) ? sendsData : undefined;

/** `-d @file`, `-F name=@file`: the files that are sent. */
function sentFiles(args: readonly string[]): string[] {
  return args.flatMap((word) => /^(?:-[dF]|--(?:data|form)[a-z-]*=)?(?:[^=@]*=)?@(.+)$/.exec(word)?.[1] ?? []);
}

/** `host:path`, `user@host:path`. */
export function hostOfCopy(word: string): string | undefined {
  if (word.includes("://")) return undefined;
  const match = /^(?:[^@\s/:]+@)?(\[[0-9a-f:]+\]|[^\s:/@$`=]+):(?!:)(?!\/\/)/i.exec(word);
  const host = match?.[1]?.toLowerCase();
  // `HEAD:file` and `origin:x` belong to git; a host name has a dot, or a user before it.
  return host !== undefined && (host.includes(".") || /^[^@\s]+@/.test(word)) ? host : undefined;
}

const copies: Warning = (args) =>
  operandsOf(args, sshValues).some((word) => hostOfCopy(word) !== undefined)
    ? "copies files from or to another machine"
    : undefined;

const startRemote: StartReader = (started, rest) => {
  let at = 0;
  for (; at < rest.length && /^-./.test(rest[at]?.text ?? ""); at += 1) {
    const text = rest[at]?.text ?? "";
    const option = text === "-o" ? rest[at + 1]?.text : text.startsWith("-o") ? text.slice(2) : undefined;
    const own = /^(?:ProxyCommand|LocalCommand|KnownHostsCommand)[= ]([\s\S]*)$/i.exec(option ?? "")?.[1];
    if (own) started.texts.push(own);
    if (sshValues.test(text)) at += 1;
  }
  if (at + 1 < rest.length) addText(started, joinWords(rest.slice(at + 1)));
};

const remoteShell = {
  hosts: "first",
  start: startRemote,
  takesText: true,
  // Without a command, a shell on the remote host reads the input.
  runsInput: (args: readonly string[]) => operandsOf(args, sshValues).length === 1 && !args.includes("-N"),
  sends: "runs on another machine",
} as const;
const http = {
  hosts: "operands",
  sends: (args: readonly string[]) =>
    args.some((word) => /^(?:POST|PUT|PATCH|DELETE)$|^[^-=:]+(?::?=|@)/.test(word)) ? sendsData : undefined,
} as const;
const deletesFiles = (args: readonly string[]) => args.some((word) => /^--(?:delete|remove-source)/.test(word));

/** Programs that fetch, copy, connect, look up and send. */
export const networkPrograms: Programs = {
  curl: {
    version: "--version -V",
    outputs: "-o -D -c --output --dump-header --cookie-jar --trace --trace-ascii --output-dir --stderr",
    sources: "-T --upload-file -K --config -b --cookie --cert --key",
    files: (args) => ({ read: sentFiles(args) }),
    hosts: "operands",
    hostValued: curlValues,
    sends: sendsWith(
      /^(?:-[a-zA-Z]*[dFT]|-d.+|-F.+|-T.+|--(?:data|form|upload-file|json|url-query)[a-z-]*(?:=.*)?)$/,
      changing,
    ),
    wide: true,
    plainWords: true,
  },
  wget: {
    outputs: "-O -o -a -P --output-document --output-file --append-output --directory-prefix",
    sources: "--post-file --body-file --input-file",
    hosts: "operands",
    hostValued: wgetValues,
    sends: sendsWith(/^--(?:post|body|method)/),
    wide: true,
    plainWords: true,
  },
  "http https xh httpie": http,
  "lynx links w3m fetch": { hosts: "operands" },
  aria2c: { hosts: "operands", wide: true },
  scp: {
    opens: (args) => foldersAmong(args, sshValues),
    hosts: "copies",
    sends: copies,
    runsOption: "-S",
    writes: "last",
    wide: true,
    longNames: true,
  },
  sftp: { editor: true, start: editorStarts, hosts: "copies", sends: copies, runsOption: "-S -D", wide: true },
  rsync: {
    hosts: "copies",
    sends: copies,
    runsOption: "-e --rsh --rsync-path",
    writes: "last",
    replaces: true,
    valued: /^(?:-[efM]|--exclude|--include|--rsh|--filter|--exclude-from|--files-from|--chmod)$/,
    files: (args) => ({ folders: operandsOf(args, /^-[efM]$/).slice(-1) }),
    opens: (args) => (args.some((word) => /^--files-from/.test(word)) ? ["/"] : foldersAmong(args, /^-[efM]$/)),
    risk: (args) =>
      args.some((word) => word.startsWith("--delete")) ? "removes what is not at the source" : undefined,
    destructive: deletesFiles,
    wide: true,
    longNames: true,
  },
  ssh: { ...remoteShell, wide: true },
  "mosh rsh": remoteShell,
  telnet: { editor: true, start: editorStarts, hosts: "first", sends: talksDirectly, wide: true },
  ftp: { hosts: "first", sends: talksDirectly, editor: true, start: editorStarts, wide: true },
  lftp: { editor: true, start: editorStarts, hosts: "first", sends: talksDirectly },
  tftp: { sends: talksDirectly },
  "nc ncat netcat socat": { hosts: "first", sends: talksDirectly, wide: true },
  cryptcat: { hosts: "first", sends: talksDirectly },
  "ssh-copy-id ping ping6 dig host nslookup traceroute whois nmap": { hosts: "first" },
  mail: { sends: sendsMail, editor: true, start: editorStarts },
  "sendmail mailx mutt": { sends: sendsMail },
  openssl: { outputs: "-out -keyout", sources: "-in", wide: true, wordOptions: true },
  "ssh-keygen": { outputs: "-f", wide: true },
  "gpg ssh-add": { wide: true },
};
