// The few web-standard names this package needs; it compiles without the types of any runtime.

interface AbortSignal {
  readonly aborted: boolean;
  readonly reason: unknown;
  addEventListener(type: "abort", listener: () => void, options?: { once?: boolean }): void;
  removeEventListener(type: "abort", listener: () => void): void;
  throwIfAborted(): void;
}

interface AbortController {
  readonly signal: AbortSignal;
  abort(reason?: unknown): void;
}
declare const AbortController: { new (): AbortController };

interface TextDecoder {
  decode(bytes?: Uint8Array): string;
}
declare const TextDecoder: { new (label?: "utf-8", options?: { fatal?: boolean; ignoreBOM?: boolean }): TextDecoder };

interface TextEncoder {
  encode(text: string): Uint8Array;
}
declare const TextEncoder: { new (): TextEncoder };
