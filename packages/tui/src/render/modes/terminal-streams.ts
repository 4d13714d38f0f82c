/** The parts of `process.stdin` that are used. */
export type ModesInput = {
  readonly isTTY?: boolean;
  setRawMode?(raw: boolean): unknown;
  on(event: "data", listener: (bytes: Uint8Array) => void): unknown;
  on(event: "end" | "error", listener: () => void): unknown;
  off(event: "data", listener: (bytes: Uint8Array) => void): unknown;
  off(event: "end" | "error", listener: () => void): unknown;
  resume(): unknown;
  pause(): unknown;
};

/** The parts of `process.stdout` that are used. */
export type ModesOutput = {
  readonly isTTY?: boolean;
  readonly fd: number;
  /** Bytes written but not yet accepted. */
  readonly writableLength?: number;
  write(data: string): boolean;
  on(event: "error" | "resize", listener: () => void): unknown;
  off(event: "error" | "resize", listener: () => void): unknown;
};

/** Why a window cannot be opened here, as a sentence; undefined if it can. */
export function unfitTerminal(input: ModesInput, output: ModesOutput, term: string | undefined): string | undefined {
  if (!output.isTTY) return "The output is not a terminal.";
  if (!input.isTTY || !input.setRawMode) return "The input is not a terminal.";
  return term === "dumb" ? "The terminal cannot move its cursor (TERM=dumb)." : undefined;
}
