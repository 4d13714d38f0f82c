import { setTimeout as sleep } from "node:timers/promises";

/** Keys typed before the question could be read are ignored. */
const IGNORED_KEYS_MS = 200;
const CTRL_C = 0x03;

type Asking = { question: string; signal: AbortSignal; interrupt(): void };

/** Reads one key on the terminal: `y` means yes; Enter, Esc, n, q, Ctrl+C and Ctrl+D mean no. */
export async function confirm({ question, signal, interrupt }: Asking): Promise<boolean> {
  const { stdin, stderr } = process;
  const { promise, resolve } = Promise.withResolvers<boolean>();
  let isAsked = false;
  const take = (bytes: Buffer) => {
    if (bytes[0] === CTRL_C) interrupt();
    if (!isAsked) return;
    const key = bytes.toString("utf8").toLowerCase();
    // Several keys at once were pasted.
    if (key === "y") resolve(true);
    else if (["n", "q", "\r", "\n", "\u001b", "\u0003", "\u0004"].includes(key)) resolve(false);
  };
  const gone = () => resolve(false);
  stdin.setRawMode(true);
  stdin.on("data", take);
  stdin.once("end", gone);
  signal.addEventListener("abort", gone, { once: true });
  stdin.resume();
  try {
    await Promise.race([sleep(IGNORED_KEYS_MS), promise]);
    isAsked = true;
    stderr.write(question);
    const answer = await promise;
    stderr.write(answer ? "yes\n" : "no\n");
    return answer;
  } finally {
    stdin.off("data", take);
    stdin.off("end", gone);
    signal.removeEventListener("abort", gone);
    stdin.setRawMode(false);
    stdin.pause();
  }
}
