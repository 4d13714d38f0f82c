import { describe, expect, it } from "vitest";
import { InputParser } from "../input/index.ts";
import { readTerminalImage } from "./terminal-clipboard.ts";
import { TerminalReplies } from "./terminal-replies.ts";

const base64 = (text: string | Uint8Array) => Buffer.from(text).toString("base64");
const osc = (rest: string) => `\u001b]5522;${rest}\u001b\\`;
const ATTRIBUTES = "\u001b[?62;4c";

/** A terminal that answers `mode`, and then `reading`, in pieces of a few bytes as a pipe may split them. */
function terminal(mode: string, reading = "") {
  const written: string[] = [];
  const replies: TerminalReplies = new TerminalReplies(
    (data) => {
      written.push(data);
      const answer = data.includes("type=read") ? reading : mode;
      queueMicrotask(() => {
        for (let at = 0; at < answer.length; at += 700) parser.push(answer.slice(at, at + 700));
      });
    },
    { take: () => undefined },
  );
  const parser = new InputParser({
    onEvent: (event) => {
      if (event.type !== "reply") throw new Error(`typed: ${JSON.stringify(event)}`);
      replies.take(event.text);
    },
    timer: { set: () => undefined, clear: () => undefined },
  });
  return { replies, written };
}

const speaks = `\u001b[?5522;2$y${ATTRIBUTES}`;
const data = (form: string, bytes: Uint8Array) => osc(`type=read:status=DATA:mime=${base64(form)};${base64(bytes)}`);

describe("the clipboard of a terminal that speaks OSC 5522", () => {
  it("gives its image, put together from the pieces of the best form", async () => {
    const png = Uint8Array.from({ length: 9_000 }, (_, at) => at % 251);
    const { replies, written } = terminal(
      speaks,
      [
        osc("type=read:status=OK"),
        data("image/jpeg", Uint8Array.of(1)),
        data("image/png", png.subarray(0, 4_096)),
        data("image/png", png.subarray(4_096, 8_192)),
        data("image/png", png.subarray(8_192)),
        osc("type=read:status=DONE"),
      ].join(""),
    );
    expect(await readTerminalImage(replies)).toEqual({ data: base64(png) });
    expect(written[1]).toBe(osc(`type=read;${base64("image/png image/jpeg image/webp image/gif")}`));
  });

  it.each([
    [
      "holds no image",
      [osc("type=read:status=OK"), osc("type=read:status=DONE")],
      "There is no image in the clipboard.",
    ],
    ["may not tell", [osc("type=read:status=EPERM")], "The terminal does not allow reading the clipboard."],
    ["fails", [osc("type=read:status=EIO")], "The terminal could not read the clipboard (EIO)."],
  ])("is told apart where it %s", async (_what, answers, problem) => {
    expect(await readTerminalImage(terminal(speaks, answers.join("")).replies)).toEqual({ problem });
  });

  it.each([
    ["does not know the question", ATTRIBUTES],
    ["says that it does not know the mode", `\u001b[?5522;0$y${ATTRIBUTES}`],
  ])("is not asked where the terminal %s", async (_what, mode) => {
    const { replies, written } = terminal(mode);
    expect(await readTerminalImage(replies)).toBeUndefined();
    expect(written).toHaveLength(1);
  });
});
