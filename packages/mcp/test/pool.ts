import { join } from "node:path";
import type { Clock, Egress } from "@harness/core";
import {
  guardedFetch,
  type McpAnswer,
  type McpCallOptions,
  McpPool,
  type McpPorts,
  type McpQuestion,
  type McpServerConfig,
} from "../src/index.ts";

const servers = join(import.meta.dirname, "servers");

/** Servers get few variables: without this one, each start compiles its SDK again. */
export const compileCache: Readonly<Record<string, string>> = process.env.NODE_COMPILE_CACHE
  ? { NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE }
  : {};

/** A server of `test/servers`. */
export function fixture(file: string, args: string[] = [], more: Partial<McpServerConfig> = {}): McpServerConfig {
  return {
    name: "fixture",
    from: "/mcp.json",
    command: process.execPath,
    args: [join(servers, file), ...args],
    ...more,
    env: { ...compileCache, ...more.env },
  };
}

const realClock: Clock = {
  now: () => Date.now(),
  monotonicMs: () => performance.now(),
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted) return resolve();
      const timer = setTimeout(resolve, Math.min(ms, 2 ** 31 - 1));
      signal?.addEventListener("abort", () => {
        clearTimeout(timer);
        resolve();
      });
    }),
};

const openEgress: Egress = { localOnly: false, leave: () => ({}), barrier: async () => undefined };

export type TestPool = {
  pool: McpPool;
  /** By server. */
  logs: Map<string, string[]>;
  kept: Map<string, unknown>;
  questions: McpQuestion[];
};

type Options = Partial<McpPorts> & { answer?: McpAnswer };

/** A pool with ports in memory; `answer` is what the user says. */
export function testPool({ answer = { action: "decline" }, ...ports }: Options = {}): TestPool {
  const logs = new Map<string, string[]>();
  const kept = new Map<string, unknown>();
  const questions: McpQuestion[] = [];
  const pool = new McpPool({
    identity: { name: "harness", version: "0.0.0" },
    place: { cwd: import.meta.dirname, env: process.env },
    clock: realClock,
    fetch: guardedFetch(openEgress).fetch,
    people: {
      ask: async (question) => {
        questions.push(question);
        return answer;
      },
      roots: () => ["/work folder"],
    },
    kept: {
      servers: { read: (key) => kept.get(key), write: (key, value) => void kept.set(key, value) },
      logins: {
        read: (server) => kept.get(`login ${server}`),
        write: (server, login) => void kept.set(`login ${server}`, login),
        locked: (_, task) => task(),
      },
      secrets: { add: () => undefined, hide: (text) => text },
    },
    log: (server) => ({
      append: (line) => logs.set(server, [...(logs.get(server) ?? []), line]),
    }),
    ...ports,
  });
  return { pool, logs, kept, questions };
}

/** One server that is started already. */
export async function startedPool(config: McpServerConfig, options: Options = {}): Promise<TestPool> {
  const test = testPool(options);
  test.pool.configure([config]);
  await test.pool.start(config.name);
  return test;
}

export const options = (): McpCallOptions => ({ signal: new AbortController().signal });
