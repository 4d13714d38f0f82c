import { hostOf } from "../places/url-host.ts";
import { operandsOf } from "../programs/arguments/operands.ts";
import { type FoundCommand, viewOf } from "./found-command.ts";

/** Hosts that a command names, and what it does there in words, as the end of "runs a command that …". */
export type NetworkReach = { hosts: string[]; danger?: string };

const fetchers = /^(?:curl|wget|http|https|xh|httpie|aria2c|lynx|links|w3m|fetch)$/;
const remoteCopies = /^(?:scp|rsync|sftp)$/;
const remoteShells = /^(?:ssh|mosh|rsh|telnet|ftp|lftp|ssh-copy-id)$/;
const sockets = /^(?:nc|ncat|netcat|socat|cryptcat)$/;
const lookups = /^(?:ping|ping6|dig|host|nslookup|traceroute|whois|nmap)$/;
const curlValues =
  /^(?:-[a-zA-Z]*[AbcCdDeEFHKmoPQrtTuUwxXyYz]|--(?:data|header|output|form|user|request|user-agent|referer|cookie|cookie-jar|max-time|connect-timeout|retry|proxy|upload-file|write-out|config|cacert|cert|key|resolve|range|url-query|json|data-[a-z]+))$/;
const wgetValues =
  /^(?:-[a-zA-Z]*[OoaePtTwUQADIX]|--(?:header|output-document|user-agent|post-data|post-file|timeout|tries))$/;
/** Options of ssh and its like whose value is a word of its own. */
export const sshValues = /^-[a-zA-Z]*[BbcDEeFIiJLlmOoPpQRSWw]$/;

export function networkReach(command: FoundCommand): NetworkReach {
  const [program = "", ...rest] = viewOf(command);
  const hosts = [...rest, ...command.assignments].flatMap(hostsInWord);
  const operands = operandsOf(rest, program === "curl" ? curlValues : program === "wget" ? wgetValues : sshValues);
  if (fetchers.test(program)) hosts.push(...operands.flatMap(bareHost));
  else if (remoteShells.test(program) || lookups.test(program)) hosts.push(...operands.slice(0, 1).flatMap(bareHost));
  else if (sockets.test(program)) hosts.push(...operands.slice(0, 1).flatMap(bareHost));
  if (remoteCopies.test(program)) hosts.push(...operands.flatMap(copyHost));
  if (program === "git") hosts.push(...rest.flatMap(copyHost));
  for (const { target } of command.redirects) {
    const host = /^\/dev\/(?:tcp|udp)\/([^/]+)/.exec(target.text)?.[1];
    if (host !== undefined) hosts.push(host.toLowerCase());
  }
  const danger = networkDanger(program, rest, operands, command);
  return danger === undefined ? { hosts } : { hosts, danger };
}

function networkDanger(
  program: string,
  rest: readonly string[],
  operands: readonly string[],
  { redirects }: FoundCommand,
): string | undefined {
  const has = (pattern: RegExp) => rest.some((word) => pattern.test(word));
  if (redirects.some(({ target }) => /^\/dev\/(?:tcp|udp)\//.test(target.text))) return "talks to the network directly";
  if (sockets.test(program)) return "talks to the network directly";
  if (
    program === "curl" &&
    has(/^(?:-[a-zA-Z]*[dFT]|-d.+|-F.+|-T.+|--(?:data|form|upload-file|json|url-query)[a-z-]*(?:=.*)?)$/)
  )
    return "sends data to the network";
  if (program === "curl" && has(/^(?:-X|--request=?)?(?:POST|PUT|PATCH|DELETE)$/i)) return "sends data to the network";
  if (program === "wget" && has(/^--(?:post|body|method)/)) return "sends data to the network";
  if (/^(?:http|https|xh|httpie)$/.test(program) && has(/^(?:POST|PUT|PATCH|DELETE)$|^[^-=:]+(?::?=|@)/))
    return "sends data to the network";
  if (remoteCopies.test(program) && operands.some((word) => copyHost(word).length > 0))
    return "copies files from or to another machine";
  if (/^(?:ssh|mosh|rsh)$/.test(program)) return "runs on another machine";
  if (/^(?:ftp|lftp|telnet|tftp)$/.test(program)) return "talks to the network directly";
  if (program === "sendmail" || program === "mail" || program === "mailx" || program === "mutt") return "sends mail";
  return publishes(program, rest) ? "publishes for others" : undefined;
}

function publishes(program: string, rest: readonly string[]): boolean {
  const [first = "", second = ""] = rest.filter((word) => !word.startsWith("-"));
  if (/^(?:npm|pnpm|yarn|cargo|poetry|uv|bun|vsce|lerna|flit|hatch)$/.test(program))
    return first === "publish" || (first === "npm" && second === "publish");
  if (/^(?:docker|podman|gem|helm|dotnet)$/.test(program))
    return first === "push" || (first === "nuget" && second === "push");
  return program === "twine" && first === "upload";
}

function hostsInWord(word: string): string[] {
  return [...word.matchAll(/[a-z][a-z0-9+.-]*:\/\/[^\s'"<>]+/gi)].flatMap(([url]) => {
    const host = url.startsWith("file:") ? undefined : hostOf(url);
    return host === undefined ? [] : [host];
  });
}

/** `user@host:port/path` without a scheme. */
function bareHost(word: string): string[] {
  if (word.includes("://") || /[$`]/.test(word)) return [];
  const host = word
    .replace(/^[^@/]*@/, "")
    .replace(/[:/?#].*$/s, "")
    .toLowerCase()
    .replace(/\.$/, "");
  return host !== "" && !/\s/.test(host) ? [host] : [];
}

/** `host:path`, `user@host:path`. */
function copyHost(word: string): string[] {
  if (word.includes("://")) return [];
  const match = /^(?:[^@\s/:]+@)?(\[[0-9a-f:]+\]|[^\s:/@$`=]+):(?!:)(?!\/\/)/i.exec(word);
  const host = match?.[1]?.toLowerCase();
  // `HEAD:file` and `origin:x` are git's own; a name of a host has a dot, or somebody's name before it.
  return host !== undefined && (host.includes(".") || /^[^@\s]+@/.test(word)) ? [host] : [];
}
