import type { WindowHost } from "../client/window-host.ts";
import type { AppState } from "../state/app-state.ts";
import { type Attachments, attachments } from "../state/attachments.ts";
import { mentionAtCursor, messageOf } from "../state/composer.ts";

/** Typing a path does not cause a question per letter. */
const SETTLE_MS = 150;
/** Only the beginning of a longer message is examined. */
const MAX_LOOKED_AT = 100_000;
/** Matches what the server would find; the server decides what it is. */
const MENTIONS = /(?<![\p{L}\p{N}_@])@(?:"[^"]+"(?:#[\dL-]*)?|[^\s"'`<>@][^\s"'`<>]*)/gu;

/** Previews what the message in the input would attach: asks the server when its mentions have changed. */
export class MentionPreviewController {
  readonly #host: WindowHost;
  #buffer: AppState["composer"]["buffer"] | undefined;
  #mentions = "";
  #asked = "";
  #stop: (() => void) | undefined;
  /** Grows with each question: an answer to an older one is discarded. */
  #round = 0;
  #answer: Pick<Attachments, "mentions" | "model" | "seesImages"> | undefined;
  #typing: string | undefined;

  constructor(host: WindowHost) {
    this.#host = host;
    host.store.subscribe(() => this.#follow());
  }

  #follow(): void {
    const { store, clock } = this.#host;
    const state = store.get();
    if (state.composer.buffer !== this.#buffer) {
      this.#buffer = state.composer.buffer;
      this.#mentions = mentionsOf(state);
      this.#followCursor(mentionAtCursor(state.composer));
    }
    const { pictures, mentions } = attachments.of(state);
    const isNeeded = this.#mentions !== "" || pictures.length > 0;
    const question = isNeeded ? JSON.stringify([this.#mentions, placeOf(state), state.hud?.model]) : "";
    if (question === this.#asked) return;
    this.#asked = question;
    this.#stop?.();
    this.#round += 1;
    this.#answer = undefined;
    if (isNeeded) {
      const round = this.#round;
      this.#stop = clock.after(SETTLE_MS, () => void this.#ask(round));
    } else if (mentions.length > 0) attachments.change(store, { mentions: [] });
  }

  #followCursor(typing: string | undefined): void {
    if (typing === this.#typing) return;
    this.#typing = typing;
    this.#show();
  }

  /** A problem with a path is shown once the path is complete: until then it merely does not exist yet. */
  #show(): void {
    if (!this.#answer) return;
    const isWhole = ({ mention, problem, warning }: Attachments["mentions"][number]): boolean =>
      (problem ?? warning) === undefined || !this.#typing?.startsWith(mention);
    const mentions = this.#answer.mentions.filter(isWhole);
    attachments.change(this.#host.store, { ...this.#answer, mentions });
  }

  async #ask(round: number): Promise<void> {
    const { store, server } = this.#host;
    try {
      const at = placeOf(store.get());
      const { mentions, model, seesImages } = await server.call("prompt/preview", { text: this.#mentions, at });
      if (round !== this.#round) return;
      this.#answer = { mentions, model, seesImages };
      this.#show();
    } catch {
      // Without a preview the server refuses what it cannot send, as before.
    }
  }
}

function mentionsOf({ composer }: AppState): string {
  if (!composer.buffer.text.includes("@") && composer.chips.size === 0) return "";
  const found = messageOf(composer).slice(0, MAX_LOOKED_AT).match(MENTIONS) ?? [];
  return [...new Set(found)].join(" ");
}

function placeOf({ session, reading, cwd, nextConfig }: AppState) {
  return session && !reading ? { sessionId: session.sessionId } : { cwd, config: nextConfig };
}
