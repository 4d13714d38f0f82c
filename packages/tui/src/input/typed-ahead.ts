const NEWLINE = 0x0a;
const RETURN = 0x0d;
const ESCAPE = 0x1b;

/**
 * Bytes typed before raw mode was on: until then the terminal turns Enter into a newline (ICRNL, termios(3)), and a
 * newline means Ctrl+J. A newline at the end of such text becomes Enter again, even if the terminal's first reply came
 * with it. A lone newline stays as it is, so that it answers nothing.
 */
export function typedAhead(bytes: Uint8Array): Uint8Array {
  const reply = bytes.indexOf(ESCAPE);
  const end = reply < 0 ? bytes.length : reply;
  if (end < 2 || bytes[end - 1] !== NEWLINE) return bytes;
  const typed = Uint8Array.from(bytes);
  typed[end - 1] = RETURN;
  return typed;
}
