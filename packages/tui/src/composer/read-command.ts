/** A slash command as typed, without the slash. */
export type GivenCommand = { readonly name: string; readonly args: string };

/** Undefined if the text is a message (`/usr/bin is …`). */
export function readCommand(text: string): GivenCommand | undefined {
  const match = /^\/(\p{L}[\p{L}\p{N}_:.-]*)(?:\s+([\s\S]*))?$/u.exec(text.trim());
  return match ? { name: (match[1] ?? "").toLowerCase(), args: match[2] ?? "" } : undefined;
}
