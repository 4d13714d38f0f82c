import { StringDecoder } from "node:string_decoder";

const FLUSH_MS = 30;
const FLUSH_CHARS = 8 * 1024;
/** Beyond this only samples are shown: nobody reads faster, and the full output is stored elsewhere. */
const MAX_WHOLE_CHARS = 256 * 1024;
const SAMPLE_MS = 500;
const SAMPLE_CHARS = 2 * 1024;

/** Live output for people: in few pieces, never cut inside a character, and never more than they can follow. */
export interface LiveOutput {
  push(bytes: Buffer): void;
  end(): void;
}

export function createLiveOutput(emit: (text: string) => void): LiveOutput {
  const decoder = new StringDecoder("utf8");
  let pending = "";
  let left = MAX_WHOLE_CHARS;
  let timer: NodeJS.Timeout | undefined;
  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    if (pending === "") return;
    left -= pending.length;
    const text = pending;
    pending = "";
    emit(text);
  };
  return {
    push(bytes) {
      const text = decoder.write(bytes);
      if (left > 0) {
        pending += text;
        if (pending.length >= FLUSH_CHARS) flush();
      } else {
        const all = pending + text;
        const cut = all.length > SAMPLE_CHARS ? `\n[…]\n${all.slice(-SAMPLE_CHARS).toWellFormed()}` : all;
        pending = cut;
      }
      timer ??= pending === "" ? undefined : setTimeout(flush, left > 0 ? FLUSH_MS : SAMPLE_MS);
    },
    end() {
      pending += decoder.end();
      flush();
    },
  };
}
