import type { ChildProcess } from "node:child_process";
import { join } from "node:path";
import type { ProxyAnswer, ProxyRequest } from "./proxy-messages.ts";

const DEADLINE_MS = 15_000;
/** For requests that delay the end of a command. */
const SHORT_DEADLINE_MS = 2_000;

/** A handle of the proxy process, which ends with this process, however that ends. */
export interface ProxyProcess {
  /** True if it has ended or did not answer, and is no longer used. */
  readonly isGone: boolean;
  /** Never rejects. Answers come in the order of the requests. */
  ask(order: ProxyRequest): Promise<ProxyAnswer>;
  end(): void;
}

/** Starts it with a clean environment. Does not keep this process alive. */
export async function startProxy(env: Readonly<Record<string, string>>): Promise<ProxyProcess> {
  const { fork } = await import("node:child_process");
  const child = fork(entry(), [], { env: { ...env }, stdio: ["ignore", "ignore", "ignore", "ipc"], execArgv: [] });
  const waiting: ((answer: ProxyAnswer) => void)[] = [];
  let gone: string | undefined;
  const end = (why: string) => {
    gone ??= why;
    for (const each of waiting.splice(0)) each({ problem: why });
  };
  child.on("message", (answer: ProxyAnswer) => waiting.shift()?.(answer));
  child.once("error", (error) => end(`its network proxy does not start (${error.message})`));
  child.once("exit", () => end("its network proxy has ended"));
  release(child);
  return {
    get isGone() {
      return gone !== undefined || !child.connected;
    },
    ask(order) {
      if (gone !== undefined || !child.connected) return Promise.resolve({ problem: gone ?? "it has ended" });
      const limitMs = order.ask === "refused" ? SHORT_DEADLINE_MS : DEADLINE_MS;
      return new Promise((resolve) => {
        const timer = setTimeout(() => {
          // A late answer must not be mistaken for the next one.
          child.kill("SIGKILL");
          end("its network proxy does not answer");
        }, limitMs);
        waiting.push((answer) => {
          clearTimeout(timer);
          resolve(answer);
        });
        child.send(order, (error) => {
          if (error) end(`its network proxy cannot be reached (${error.message})`);
        });
      });
    },
    end: () => {
      if (child.connected) child.disconnect();
    },
  };
}

function release(child: ChildProcess): void {
  child.unref();
  child.channel?.unref();
}

/** The bundle's own entry next to this code, or its source when run from source. */
function entry(): string {
  const here = import.meta.dirname;
  return import.meta.filename.endsWith(".ts") ? join(here, "main.ts") : join(here, "sandbox-proxy.mjs");
}
