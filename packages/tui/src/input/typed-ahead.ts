const NEWLINE = 0x0a;
const RETURN = 0x0d;

/**
 * Bytes that were typed before raw mode was on: until then the terminal makes a newline of the Enter key (ICRNL, termios(3)), and
 * a newline is Ctrl+J. One that ends such a text is Enter again. Alone it stays what it is: nothing is answered by it.
 */
export function typedAhead(bytes: Uint8Array): Uint8Array {
  if (bytes.length < 2 || bytes.at(-1) !== NEWLINE) return bytes;
  const typed = Uint8Array.from(bytes);
  typed[typed.length - 1] = RETURN;
  return typed;
}
