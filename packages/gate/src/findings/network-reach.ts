import { hostOfUrl } from "../places/url-host.ts";
import { operandsOf } from "../programs/arguments/operands.ts";
import { hostOfCopy, sshValues } from "../programs/network.ts";
import { programOf } from "../programs/programs.ts";
import { type FoundCommand, normalizedWords } from "./found-command.ts";

/** Hosts that a command names, and what it does there, as the end of "runs a command that …". */
export type NetworkReach = { hosts: string[]; danger?: string };

const device = /^\/dev\/(?:tcp|udp)\/([^/]*)/;

export function networkReach(command: FoundCommand): NetworkReach {
  const [program = "", ...args] = normalizedWords(command);
  const { hosts: named, hostValued = sshValues, sends } = programOf(program);
  const hosts = [...args, ...command.assignments].flatMap(hostsInWord);
  const operands = named === undefined ? [] : operandsOf(args, hostValued);
  if (named === "operands") hosts.push(...operands.flatMap(bareHost));
  else if (named === "first") hosts.push(...operands.slice(0, 1).flatMap(bareHost));
  else if (named) hosts.push(...(named === "refs" ? args : operands).flatMap((word) => hostOfCopy(word) ?? []));
  const devices = command.redirects.flatMap(({ target }) => device.exec(target.text)?.[1] ?? []);
  hosts.push(...devices.filter(Boolean).map((host) => host.toLowerCase()));
  const plain = args.filter((word) => !word.startsWith("-"));
  const own = typeof sends === "function" ? sends(args, plain) : sends;
  const danger = devices.length > 0 ? "talks to the network directly" : own;
  return danger === undefined ? { hosts } : { hosts, danger };
}

function hostsInWord(word: string): string[] {
  return [...word.matchAll(/[a-z][a-z0-9+.-]{0,40}:\/\/[^\s'"<>]+/gi)].flatMap(([url]) => {
    const host = url.startsWith("file:") ? undefined : hostOfUrl(url);
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
