import { ASK_ATTRIBUTES, attributesIn, type TerminalReplies } from "./terminal-replies.ts";

/** The clipboard protocol of kitty and other terminals: https://sw.kovidgoyal.net/kitty/clipboard/ */
const ASK_MODE = "\u001b[?5522$p";
const MODE_REPLY = /^.\[\?5522;(\d)\$y$/;
const READ_REPLY = /^.\]5522;([\w=+/:.-]*)(?:;([\w+/=]*))?/;
/** In order of preference. */
const forms = ["image/png", "image/jpeg", "image/webp", "image/gif"];
const MODE_MS = 500;
/** The terminal may ask the user first. */
const READ_MS = 60_000;
const MAX_BYTES = 30 * 1024 * 1024;

export type TerminalImage = { readonly data: string } | { readonly problem: string };

/** The image in the terminal's clipboard as base64; undefined if the terminal cannot provide it. */
export async function readTerminalImage(replies: TerminalReplies): Promise<TerminalImage | undefined> {
  const isSpoken = await replies.ask(ASK_MODE + ASK_ATTRIBUTES, modeIn, MODE_MS);
  if (isSpoken !== true) return undefined;
  const wanted = Buffer.from(forms.join(" ")).toString("base64");
  const reading = new ClipboardReading();
  const question = `\u001b]5522;type=read;${wanted}\u001b\\`;
  return await replies.ask(question, (reply) => reading.take(reply), READ_MS);
}

/** True if the terminal knows the mode; one that does not reply about it replies to the query after it. */
function modeIn(reply: string): boolean | undefined {
  const state = MODE_REPLY.exec(reply)?.[1];
  if (state !== undefined) return state !== "0";
  return attributesIn(reply) ? false : undefined;
}

/** The replies to one query: `OK`, pieces of each form, `DONE`; or an error. */
class ClipboardReading {
  readonly #pieces = new Map<string, Buffer[]>();
  #bytes = 0;

  take(reply: string): TerminalImage | undefined {
    const [, metadata, payload = ""] = READ_REPLY.exec(reply) ?? [];
    if (metadata === undefined) return undefined;
    const fields = new Map(metadata.split(":").map((pair) => pair.split(/=(.*)/s, 2) as [string, string]));
    const status = fields.get("status");
    if (status === "OK") return undefined;
    if (status === "DATA") return this.#keep(fields.get("mime") ?? "", payload);
    if (status === "DONE") return this.#whole();
    return {
      problem:
        status === "EPERM"
          ? "The terminal does not allow reading the clipboard."
          : `The terminal could not read the clipboard (${status ?? "no reason"}).`,
    };
  }

  #keep(mime: string, payload: string): TerminalImage | undefined {
    const form = Buffer.from(mime, "base64").toString("utf8");
    const bytes = Buffer.from(payload, "base64");
    this.#bytes += bytes.length;
    if (this.#bytes > MAX_BYTES) return { problem: "The image in the clipboard has more than 20 MB." };
    const pieces = this.#pieces.get(form);
    if (pieces) pieces.push(bytes);
    else this.#pieces.set(form, [bytes]);
    return undefined;
  }

  #whole(): TerminalImage {
    const form = forms.find((each) => this.#pieces.has(each));
    if (form === undefined) return { problem: "There is no image in the clipboard." };
    return { data: Buffer.concat(this.#pieces.get(form) ?? []).toString("base64") };
  }
}
