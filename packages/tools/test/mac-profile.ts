import { execFileSync, fork } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ProxyAnswer, ProxyRequest } from "../src/sandbox/proxy/proxy-messages.ts";
import type { ProxyProcess } from "../src/sandbox/proxy/proxy-process.ts";

/** The real process that writes profiles, pretending to run on macOS. */
export async function macProxy(home: string): Promise<ProxyProcess & { ended(): Promise<unknown> }> {
  const asMac = 'data:text/javascript,Object.defineProperty(process,"platform",{value:"darwin"})';
  const child = fork(join(import.meta.dirname, "../src/sandbox/proxy/main.ts"), [], {
    env: { PATH: process.env.PATH ?? "", HOME: home },
    execArgv: ["--import", asMac],
    stdio: ["ignore", "ignore", "ignore", "ipc"],
  });
  const ask = async (order: ProxyRequest): Promise<ProxyAnswer> => {
    const answer = once(child, "message");
    child.send(order);
    const [said] = await answer;
    return said as ProxyAnswer;
  };
  await ask({ ask: "open", allowedDomains: ["example.com"], parents: {}, rg: "/bin/true" });
  const exit = once(child, "exit");
  return { isGone: false, ask, end: () => child.disconnect(), ended: () => exit };
}

/** The words that a command line gives to sandbox-exec, as a shell reads them. */
export function wordsOfSandbox(commandLine: string): string[] {
  const folder = mkdtempSync(join(tmpdir(), "harness-mac-"));
  try {
    const show = join(folder, "show");
    writeFileSync(show, `#!/bin/sh\nprintf '%s\\0' "$@"\n`);
    chmodSync(show, 0o700);
    const shown = commandLine.replace("/usr/bin/sandbox-exec", show);
    return execFileSync("/bin/sh", ["-c", shown], { encoding: "utf8" }).split("\0").slice(0, -1);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

type Expression = string | { text: string } | Expression[];

/** The expressions of a profile. Throws where it is not well formed. */
function expressionsOf(profile: string): Expression[] {
  const open: Expression[][] = [[]];
  const token = /\s+|;[^\n]*|\(|\)|"((?:[^"\\]|\\[\s\S])*)"|[^\s()";]+/gy;
  let read = 0;
  for (const match of profile.matchAll(token)) {
    const [text, quoted] = match;
    read += text.length;
    if (text === "(") open.push([]);
    else if (text === ")") {
      const closed = open.pop() ?? [];
      open.at(-1)?.push(closed);
    } else if (quoted !== undefined) open.at(-1)?.push({ text: JSON.parse(`"${quoted}"`) });
    else if (!/^\s|^;/.test(text)) open.at(-1)?.push(text);
  }
  if (read !== profile.length || open.length !== 1) throw new Error(`not well formed at ${read}`);
  return open[0] ?? [];
}

/** The verdict of a profile on an operation on a path: the last matching rule counts. */
export function allowsIn(profile: string): (operation: string, path: string) => boolean {
  const rules = expressionsOf(profile).filter((each) => Array.isArray(each));
  return (operation, path) => {
    let isAllowed = false;
    for (const [decision, ...rest] of rules) {
      if (decision !== "allow" && decision !== "deny") continue;
      const operations = rest.filter((each) => typeof each === "string");
      if (!operations.some((each) => each === "default" || covers(each, operation))) continue;
      const filters = rest.filter((each) => Array.isArray(each)).filter(([name]) => name !== "with");
      if (filters.length === 0 || filters.some((filter) => isAbout(filter, path))) isAllowed = decision === "allow";
    }
    return isAllowed;
  };
}

function covers(named: string, operation: string): boolean {
  return named === operation || (named.endsWith("*") && operation.startsWith(named.slice(0, -1)));
}

function isAbout([name, value]: Expression[], path: string): boolean {
  const text = typeof value === "object" && "text" in value ? value.text : "";
  if (name === "subpath") return path === text || path.startsWith(`${text}/`);
  if (name === "literal") return path === text;
  return name === "regex" && new RegExp(text).test(path);
}
