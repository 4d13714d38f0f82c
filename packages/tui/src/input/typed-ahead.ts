const NEWLINE = 0x0a;
const RETURN = 0x0d;
const ESCAPE = 0x1b;

/**
 * Bytes that were typed before raw mode was on: until then the terminal makes a newline of the Enter key (ICRNL, termios(3)), and
 * a newline is Ctrl+J. One that ends such a text is Enter again, also where the terminal's first reply came with it. Alone it
 * stays what it is: nothing is answered by it.
 */
export function typedAhead(bytes: Uint8Array): Uint8Array {
  const reply = bytes.indexOf(ESCAPE);
  const end = reply < 0 ? bytes.length : reply;
  if (end < 2 || bytes[end - 1] !== NEWLINE) return bytes;
  const typed = Uint8Array.from(bytes);
  typed[end - 1] = RETURN;
  return typed;
}
