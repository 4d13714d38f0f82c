import { expect, it } from "vitest";
import { copyToTerminal } from "./clipboard.ts";

it("copies inside tmux by itself and through it", () => {
  const written: string[] = [];
  copyToTerminal("word", { write: (data) => written.push(data), env: { TMUX: "/tmp/tmux,1,0" } });
  const plain = "\u001b]52;c;d29yZA==\u001b\\";
  expect(written).toEqual([`${plain}\u001bPtmux;\u001b\u001b]52;c;d29yZA==\u001b\u001b\\\u001b\\`]);
  written.length = 0;
  copyToTerminal("word", { write: (data) => written.push(data), env: {} });
  expect(written).toEqual([plain]);
});
