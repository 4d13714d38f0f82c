import { type Asking, rawKeys } from "../process/raw-keys.ts";

/** Keys typed before the question could be read are ignored. */
const IGNORED_KEYS_MS = 200;
const CTRL_C = 0x03;

/** Reads one key on the terminal: `y` means yes; Enter, Esc, n, q, Ctrl+C and Ctrl+D mean no. */
export async function confirm({ question, signal, interrupt }: Asking): Promise<boolean> {
  const { stderr } = process;
  let isAsked = false;
  const timer = setTimeout(() => {
    isAsked = true;
    stderr.write(question);
  }, IGNORED_KEYS_MS);
  const answer = await rawKeys(signal, false, (bytes) => {
    if (bytes[0] === CTRL_C) interrupt();
    if (!isAsked) return undefined;
    const key = bytes.toString("utf8").toLowerCase();
    // Several keys at once were pasted.
    if (key === "y") return { answer: true };
    return ["n", "q", "\r", "\n", "\u001b", "\u0003", "\u0004"].includes(key) ? { answer: false } : undefined;
  });
  clearTimeout(timer);
  stderr.write(answer ? "yes\n" : "no\n");
  return answer;
}
