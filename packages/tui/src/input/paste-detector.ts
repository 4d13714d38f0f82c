import { allDropped } from "../text/hidden-characters.ts";
import type { InputEvent, PasteEvent } from "./input-event.ts";

/** Detects text with an Enter in the middle, faster than typing: a paste in a terminal that does not mark pastes. */
export class PasteDetector {
  readonly #maxPaste: number;
  /** Enters at the end of a read that also brought text: more text may follow, and then they were newlines. */
  #held: InputEvent[] = [];
  #paste: Omit<PasteEvent, "type"> | undefined;

  constructor(maxPaste: number) {
    this.#maxPaste = maxPaste;
  }

  /** True while something is held until more arrives or nothing does (`end`). */
  get isOpen(): boolean {
    return this.#paste !== undefined || this.#held.length > 0;
  }

  /** Takes the events of one read; returns those to report now. */
  take(events: readonly InputEvent[]): InputEvent[] {
    const out: InputEvent[] = [];
    let run: InputEvent[] = [];
    for (const event of events) {
      if (burstText(event) !== undefined) run.push(event);
      else {
        out.push(...this.#join(run), ...this.end(), event);
        run = [];
      }
    }
    out.push(...this.#join(run));
    return out;
  }

  /** Nothing more came. */
  end(): InputEvent[] {
    const held = this.#held;
    const paste = this.#paste;
    this.#held = [];
    this.#paste = undefined;
    return paste ? [{ type: "paste", ...paste }] : held.map(withBurst);
  }

  #join(run: readonly InputEvent[]): InputEvent[] {
    if (run.length === 0) return [];
    if (this.#paste) {
      this.#add(run);
      return [];
    }
    const all = [...this.#held, ...run];
    const wasHeld = this.#held.length > 0;
    this.#held = [];
    const last = all.findLastIndex((event) => !isEnter(event));
    const first = all.findIndex(isEnter);
    if (first >= 0 && first < last) {
      this.#paste = { text: "", cut: false };
      this.#add(all);
      return [];
    }
    // An Enter that comes alone was pressed.
    if (last < 0 && !wasHeld) return all;
    this.#held = all.slice(last + 1);
    return all.slice(0, last + 1);
  }

  #add(run: readonly InputEvent[]): void {
    if (!this.#paste) return;
    const text = this.#paste.text + run.map(burstText).join("");
    const cut = this.#paste.cut || text.length > this.#maxPaste;
    const hidden = run.map(hiddenOf).reduce(allDropped, this.#paste.hidden);
    this.#paste = { text: text.slice(0, this.#maxPaste), cut, ...(hidden && { hidden }) };
  }
}

function hiddenOf(event: InputEvent): PasteEvent["hidden"] {
  return event.type === "paste" ? event.hidden : undefined;
}

function withBurst(event: InputEvent): InputEvent {
  return event.type === "key" ? { ...event, endsBurst: true } : event;
}

function isEnter(event: InputEvent): boolean {
  return event.type === "key" && event.name === "enter";
}

/** The event's text as part of a paste; undefined: it cannot be part of one. */
function burstText(event: InputEvent): string | undefined {
  if (event.type === "paste") return event.text;
  if (event.type !== "key" || event.alt || event.meta) return undefined;
  if (event.ctrl) return event.name === "j" ? "\n" : undefined;
  if (event.text !== "") return event.text;
  if (event.shift) return undefined;
  if (event.name === "enter") return "\n";
  return event.name === "tab" ? "\t" : undefined;
}
