import { Readable, Writable } from "node:stream";
import type { ReactNode } from "react";
import type { Row } from "../text/style.ts";
import { FrameParser } from "./ink-frame.ts";

type InkModule = typeof import("ink");
type InkInstance = ReturnType<InkModule["render"]>;

/**
 * Loads Ink so that it writes all colours whatever the terminal supports (the painter reduces them), and without Node's
 * HTTP client. Both are decided when Ink is first imported: call this before loading a module that imports Ink or
 * ink-text-input.
 */
export async function loadInk(): Promise<InkModule> {
  const colours = process.env.FORCE_COLOR;
  const { fetch } = globalThis;
  process.env.FORCE_COLOR = "3";
  // Ink's layout engine would use `fetch` to read code it embeds, and loading Node's HTTP client for that takes 20 ms.
  Reflect.set(globalThis, "fetch", undefined);
  try {
    const [ink] = await Promise.all([import("ink"), import("ink-text-input")]);
    return ink;
  } finally {
    Reflect.set(globalThis, "fetch", fetch);
    if (colours === undefined) delete process.env.FORCE_COLOR;
    else process.env.FORCE_COLOR = colours;
  }
}

/** The terminal for Ink: with `debug` Ink writes each frame whole, in one write and without cursor moves. */
class InkOutput extends Writable {
  readonly isTTY = true;
  columns: number;
  rows: number;

  /** The last write; Ink calls `onRender` right after writing a frame. */
  written = "";

  constructor(columns: number, rows: number) {
    super({
      decodeStrings: false,
      write: (chunk: unknown, _encoding, done) => {
        this.written = String(chunk);
        done();
      },
    });
    this.columns = columns;
    this.rows = rows;
  }
}

/** The keyboard for Ink: passes keys to its components, one at a time. */
class InkInput extends Readable {
  readonly isTTY = true;
  #key: string | null = null;

  /** All listeners have read the key when this returns. */
  press(key: string): void {
    this.#key = key;
    this.emit("readable");
    this.#key = null;
  }

  setRawMode(): this {
    return this;
  }
  ref(): this {
    return this;
  }
  unref(): this {
    return this;
  }
  override setEncoding(): this {
    return this;
  }
  override read(): ReturnType<Readable["read"]> {
    const key = this.#key;
    this.#key = null;
    return key;
  }
}

export type InkBridgeOptions = {
  columns: number;
  rows: number;
  /** Called with each frame; synchronously if `render` or `resize` caused it. */
  onFrame: (rows: readonly Row[]) => void;
};

/**
 * Ink as a layout engine without a real terminal, console or signals; it reads only the keys it is given. `render`
 * draws synchronously, once per call; a component's own `setState` draws in a later task, several at once.
 */
export class InkBridge {
  readonly #output: InkOutput;
  readonly #input = new InkInput();
  readonly #parser = new FrameParser();
  readonly #ink: InkModule;
  readonly #onFrame: InkBridgeOptions["onFrame"];
  #instance: InkInstance | undefined;
  #node: ReactNode;
  #closed = false;

  constructor(ink: InkModule, { columns, rows, onFrame }: InkBridgeOptions) {
    this.#ink = ink;
    this.#output = new InkOutput(columns, rows);
    this.#onFrame = onFrame;
  }

  /** Draws the tree; the first call mounts it. */
  render(node: ReactNode): void {
    this.#node = node;
    if (this.#instance) {
      this.#instance.rerender(node);
      return;
    }
    this.#instance = this.#ink.render(node, {
      stdout: this.#output,
      stderr: this.#output,
      stdin: this.#input,
      debug: true,
      onRender: () => {
        if (!this.#closed) this.#onFrame(this.#parser.parse(this.#output.written));
      },
      interactive: true,
      exitOnCtrlC: false,
      patchConsole: false,
      isScreenReaderEnabled: false,
    });
  }

  /** Passes a key to the components that read Ink's stdin, and draws the result. */
  press(key: string): void {
    // By now the component that reads it has been drawn and is listening.
    this.#instance?.rerender(this.#node);
    this.#input.press(key);
    this.#instance?.rerender(this.#node);
  }

  resize(columns: number, rows: number): void {
    this.#output.columns = columns;
    this.#output.rows = rows;
    this.#output.emit("resize");
  }

  /** Unmounts the tree; no frame follows. */
  close(): void {
    this.#closed = true;
    this.#instance?.unmount();
    this.#instance = undefined;
  }
}
