import { expect, it } from "vitest";
import { plainText } from "./plain-text.ts";

it.each([
  ["plain\ttext\n", "plain\ttext\n"],
  ["\x1b[1;31mred\x1b[0m", "red"],
  ["\x1b]8;;http://x\x1b\\link\x1b]8;;\x07", "link"],
  ["\x1b]0;never ended\nnext", "\nnext"],
  ["\x1bP1$r\x1b\\dcs\x1b_apc\x1b\\\x9b2Jc1", "dcsc1"],
  ["\x1b(B\x1b7x\x1b[", "x"],
  ["1%\r2%\r100%\n", "100%\n"],
  ["dos\r\nends\r\n", "dos\nends\n"],
  ["N\bNA\bAM\bME\bE", "NAME"],
  ["bell\x07 \x7f\x85form\x0cfeed", "bell formfeed"],
])("plainText turns %j into %j", (painted, text) => {
  expect(plainText(painted)).toBe(text);
});

it("plainText takes linear time on escape bombs", () => {
  for (const bomb of ["\x1b[", "\x1b]", "\x1b[1;", "\r", "\b", "\x1b[ ", "a\b"]) {
    expect(plainText(bomb.repeat(200_000))).not.toContain("\x1b");
  }
  expect(plainText(`\x1b[${"1".repeat(1_000_000)}`).length).toBeLessThan(1_000_001);
});
