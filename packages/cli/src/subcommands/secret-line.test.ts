import { describe, expect, it } from "vitest";
import { SecretLine } from "./secret-line.ts";

const bytes = (text: string): Buffer => Buffer.from(text, "utf8");

describe("SecretLine", () => {
  it.each([
    ["sk-123\r", "sk-123"],
    ["sk-123\n", "sk-123"],
    ["sk-12x\u007f3\r", "sk-123"],
    ["sk-12x\b3\r", "sk-123"],
    ["wrong\u0015sk-123\r", "sk-123"],
    ["é😀\u007f\r", "é"],
    ["sk\u001b[D\u001b[C\u001bOA-1\r", "sk-1"],
    ["\u001b[200~sk-1\u001b[201~\r", "sk-1"],
    ["sk\u0001\u0007-1\r", "sk-1"],
    ["sk-1\u0004", "sk-1"],
    ["\r", ""],
  ])("reads %j as %s", (typed, text) => {
    const whole = new SecretLine();
    expect(whole.take(bytes(typed))).toBe("done");
    expect(whole.text).toBe(text);
  });

  it("accepts input in any pieces", () => {
    const line = new SecretLine();
    for (const byte of bytes("é€😀")) expect(line.take(Buffer.from([byte]))).toBeUndefined();
    expect(line.text).toBe("é€😀");
  });

  it("drops everything after the first line, so that a longer paste never reaches the shell", () => {
    const line = new SecretLine();
    expect(line.take(bytes("key\nrm -rf ~\n"))).toBe("done");
    expect(line.text).toBe("key");
  });

  it("ends with Ctrl+C", () => {
    const line = new SecretLine();
    expect(line.take(bytes("half\u0003"))).toBe("interrupted");
  });

  it("ignores a lone Escape", () => {
    const line = new SecretLine();
    line.take(bytes("\u001b"));
    expect(line.take(bytes("key\r"))).toBe("done");
    expect(line.text).toBe("key");
  });
});
