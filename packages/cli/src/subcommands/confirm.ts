import { rawKeys, type TerminalQuestion } from "../process/raw-keys.ts";

/** Keys typed before the question could be read are ignored. */
const IGNORED_KEYS_MS = 200;
const ETX = 0x03;
const EOT = 0x04;
const BACKSPACE = 0x08;
const ESCAPE = 0x1b;
const DELETE = 0x7f;

/**
 * Asks on the terminal: `y` or `yes` followed by Enter means yes; anything else that is typed, Esc, Ctrl+C and Ctrl+D
 * mean no. An Enter that arrives with text was pasted with it, and confirms nothing.
 */
export async function confirm({ question, signal, interrupt }: TerminalQuestion): Promise<boolean> {
  const { stderr } = process;
  let isAsked = false;
  let typed = "";
  const ask = (): void => {
    stderr.write(`\r\u001b[K${question}${typed}`);
  };
  const timer = setTimeout(() => {
    isAsked = true;
    ask();
  }, IGNORED_KEYS_MS);
  const answer = await rawKeys(signal, false, (bytes) => {
    if (bytes[0] === ETX) interrupt();
    if (!isAsked) return undefined;
    if (bytes.some((byte) => [ETX, EOT, ESCAPE].includes(byte))) return { answer: false };
    const keys = bytes.toString("utf8");
    if (/^[^ -~]*[\r\n]/.test(keys)) return { answer: /^y(es)?$/i.test(editLine(typed, keys)) };
    typed = editLine(typed, keys);
    ask();
    return undefined;
  });
  clearTimeout(timer);
  stderr.write(answer ? "\n" : " – no\n");
  return answer;
}

/** Adds printable characters; Backspace removes the last one. */
function editLine(text: string, keys: string): string {
  let next = text;
  for (const key of keys) {
    if ([BACKSPACE, DELETE].includes(key.charCodeAt(0))) next = next.slice(0, -1);
    else if (/^[ -~]$/.test(key)) next += key;
  }
  return next;
}
