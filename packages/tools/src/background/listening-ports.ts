import { readdir, readFile, readlink } from "node:fs/promises";
import { findProgram } from "../process/find-program.ts";
import { groupMembers, markedProcesses } from "../process/process-table.ts";

const MAX_DESCRIPTORS = 2_000;
const LSOF_MS = 3_000;

/**
 * The TCP ports on which a process group listens, including processes of the call that left the group. Empty if the
 * system does not report them. Never throws.
 */
export async function listeningPorts({ groupId, callId }: { groupId: number; callId: string }): Promise<number[]> {
  const members = await groupMembers(groupId);
  if (members === undefined) return portsByLsof(groupId);
  const pids = new Set([...members, ...((await markedProcesses(callId)) ?? [])].map(({ pid }) => pid));
  const tables = new Map<string, Map<string, number>>();
  const ports = new Set<number>();
  for (const pid of pids) {
    const sockets = await socketsOf(pid);
    if (sockets.length === 0) continue;
    // A sandboxed command has its own network.
    const network = await readlink(`/proc/${pid}/ns/net`).catch(() => "");
    const table = tables.get(network) ?? (await listeners(pid));
    tables.set(network, table);
    for (const socket of sockets) {
      const port = table.get(socket);
      if (port !== undefined) ports.add(port);
    }
  }
  return [...ports].sort((a, b) => a - b);
}

async function socketsOf(pid: number): Promise<string[]> {
  const names = await readdir(`/proc/${pid}/fd`).catch(() => []);
  const links = await Promise.all(
    names.slice(0, MAX_DESCRIPTORS).map((name) => readlink(`/proc/${pid}/fd/${name}`).catch(() => "")),
  );
  return links.flatMap((link) => /^socket:\[(\d+)\]$/.exec(link)?.[1] ?? []);
}

/** Ports by the inode of their listening socket. */
async function listeners(pid: number): Promise<Map<string, number>> {
  const texts = await Promise.all(
    ["tcp", "tcp6"].map((name) => readFile(`/proc/${pid}/net/${name}`, "utf8").catch(() => "")),
  );
  return new Map(texts.flatMap((text) => listeningSockets(text)));
}

/** The listening sockets in /proc/net/tcp (proc_pid_net(5)): inode and port. Pure. */
export function listeningSockets(table: string): [string, number][] {
  return table
    .split("\n")
    .slice(1)
    .flatMap((line): [string, number][] => {
      const [, local = "", , state, , , , , , inode] = line.trim().split(/\s+/);
      const port = Number.parseInt(local.slice(local.lastIndexOf(":") + 1), 16);
      return state === "0A" && inode !== undefined && port > 0 ? [[inode, port]] : [];
    });
}

/** For systems without /proc, such as macOS. */
async function portsByLsof(groupId: number): Promise<number[]> {
  const lsof = await findProgram("lsof", `${process.env.PATH ?? ""}:/usr/sbin:/usr/bin`);
  if (!lsof) return [];
  const { execFile } = await import("node:child_process");
  const args = ["-nP", "-a", "-g", String(groupId), "-iTCP", "-sTCP:LISTEN", "-Fn"];
  return new Promise((resolve) => {
    execFile(lsof, args, { timeout: LSOF_MS }, (_error, stdout) => resolve(portsOfLsof(stdout)));
  });
}

/** The ports in the output of `lsof -Fn`: one line such as `n127.0.0.1:5173` per port. Pure. */
export function portsOfLsof(output: string): number[] {
  const ports = output.split("\n").flatMap((line) => /^n.*:(\d+)$/.exec(line)?.[1] ?? []);
  return [...new Set(ports.map(Number))].sort((a, b) => a - b);
}
