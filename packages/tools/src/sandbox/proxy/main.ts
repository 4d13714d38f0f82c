// The process with the proxy to allowed hosts for contained commands; on macOS it also writes their profile. It is
// separate because @anthropic-ai/sandbox-runtime has one configuration per process, protects files in its working
// folder, and listens for signals, and because a proxy must keep working while the server is busy. It ends with its
// parent, when the channel closes.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { getDefaultWritePaths, SandboxManager } from "@anthropic-ai/sandbox-runtime";
import type { ProxyAnswer, ProxyRequest } from "./proxy-messages.ts";

/**
 * Host names that resolve to this machine or its provider are blocked, except `localhost` when it is allowed by name.
 */
const NEVER = ["127.0.0.0/8", "0.0.0.0/8", "169.254.0.0/16", "::1/128", "fe80::/10"];

const folder = mkdtempSync(join(tmpdir(), "harness-proxy-"));
process.chdir(folder);

async function answer(order: ProxyRequest): Promise<ProxyAnswer> {
  switch (order.ask) {
    case "open":
      return open(order);
    case "wrap":
      return wrap(order);
    case "refused":
      return refusal(order.key);
  }
}

async function open(order: Extract<ProxyRequest, { ask: "open" }>): Promise<ProxyAnswer> {
  await SandboxManager.initialize({
    network: {
      allowedDomains: order.allowedDomains,
      deniedDomains: [],
      deniedResolvedAddresses: NEVER,
      strictAllowlist: true,
      parentProxy: order.parents,
    },
    filesystem: { denyRead: [], allowWrite: [], denyWrite: [] },
    ...(order.socat ? { socatPath: order.socat } : {}),
    ...(order.bwrap ? { bwrapPath: order.bwrap } : {}),
    // Only searches this empty folder, so any program that exits successfully will do.
    ...(order.rg ? { ripgrep: { command: order.rg } } : {}),
  });
  if (!(await SandboxManager.waitForNetworkInitialization())) return { problem: "its proxy did not start" };
  const socket = SandboxManager.getLinuxHttpSocketPath();
  const token = SandboxManager.getProxyAuthToken();
  return { opened: { ...(socket ? { socket } : {}), ...(token ? { token } : {}) } };
}

async function wrap(order: Extract<ProxyRequest, { ask: "wrap" }>): Promise<ProxyAnswer> {
  const literal = (path: string) => ({ path, literal: true as const });
  const filesystem = {
    denyRead: order.hidden.map(literal),
    allowRead: order.writable.map(literal),
    allowWrite: order.writable.map(literal),
    denyWrite: [...order.fixed, ...placesOfLibrary(order.writable)].map(literal),
  };
  const options = { commandId: order.key };
  return {
    wrapped: await SandboxManager.wrapWithSandbox(order.command, order.shell, { filesystem }, undefined, options),
  };
}

/** The library lets every command write to some places that others read from. */
function placesOfLibrary(writable: readonly string[]): string[] {
  const isBeside = (place: string) =>
    !writable.some((folder) => `${place}/`.startsWith(`${folder}/`) || `${folder}/`.startsWith(`${place}/`));
  return getDefaultWritePaths().filter((place) => !place.startsWith("/dev/") && isBeside(place));
}

function refusal(key: string): ProxyAnswer {
  SandboxManager.cleanupAfterCommand();
  const lines = SandboxManager.getSandboxViolationStore().getViolationsForCommand(key);
  return { refused: [...new Set(lines.map(({ line }) => line))] };
}

/** Of the process: its orders are answered one after another. */
let last: Promise<unknown> = Promise.resolve();

process.on("message", (order: ProxyRequest) => {
  last = last.then(async () => {
    const proxyAnswer = await answer(order).catch((error: unknown): ProxyAnswer => ({ problem: words(error) }));
    if (process.connected) process.send?.(proxyAnswer);
  });
});

process.on("disconnect", () => {
  void SandboxManager.reset()
    .catch(() => undefined)
    .finally(() => {
      rmSync(folder, { recursive: true, force: true });
      process.exit(0);
    });
});

function words(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
