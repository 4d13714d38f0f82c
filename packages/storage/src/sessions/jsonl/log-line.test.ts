import { sample } from "@harness/testkit";
import { describe, expect, it } from "vitest";
import { decodeLine, decodeLines, encodeLine } from "./log-line.ts";

const LF = 10;
const header = { type: "header", version: 1, sessionId: "20261121-143022-x7f3", createdAt: "2026-11-21T14:30:22.000Z" };
const fact = (seq: number, title: string) => ({
  seq,
  at: "2026-11-21T14:30:23.000Z",
  agentId: "main",
  update: { sessionUpdate: "notice", severity: "info", title },
});
const log = Buffer.concat([
  encodeLine(header),
  encodeLine(fact(1, "plain")),
  encodeLine(fact(2, 'ä "crc":"1a2b3c4d"} \u2028 }\n{')),
  encodeLine({ ...fact(3, "x"), turnId: "t1" }),
]).subarray(0, -1);

function splitLines(run: Buffer): Buffer[] {
  const lines: Buffer[] = [];
  let start = 0;
  for (let end = run.indexOf(LF); end >= 0; end = run.indexOf(LF, start)) {
    lines.push(run.subarray(start, end));
    start = end + 1;
  }
  return [...lines, run.subarray(start)];
}

describe("lines that are read at once", () => {
  it("are the same as one by one", () => {
    expect(decodeLines(log)).toEqual(splitLines(log).map((line) => decodeLine(line)));
    expect(decodeLines(log)?.map(({ kind }) => kind)).toEqual(["header", "fact", "fact", "fact"]);
  });

  it.each([
    ["a line without a checksum", Buffer.concat([log, Buffer.from(`\n${JSON.stringify(fact(4, "by hand"))}`)])],
    ["a blank line", Buffer.concat([log, Buffer.from("\n\n"), log])],
    ["a line that was cut off", log.subarray(0, -5)],
    ["two lines without an LF between them", Buffer.concat([log, log])],
    ["a comma in place of an LF", Buffer.concat([log, Buffer.from(","), log])],
    ["a checksum in another place", Buffer.from(`{"crc":"00000000",${log.toString().slice(1)}`)],
    ["something other than a line of ours", encodeLine({ hello: "world" }).subarray(0, -1)],
    ["nothing", Buffer.alloc(0)],
  ])("are left to be read one by one where there is %s", (_what, run) => {
    expect(decodeLines(run)).toBeUndefined();
  });

  it("are never read differently, whatever byte has changed", () => {
    const changes = [...log.keys()].flatMap((at) => [0, 9, 10, 34, 44, 48, 93, 125, 255].map((byte) => ({ at, byte })));
    for (const { at, byte } of sample(changes, 700)) {
      const run = Buffer.from(log);
      run[at] = byte;
      const decoded = decodeLines(run);
      if (decoded) expect(decoded, `${byte} at ${at}`).toEqual(splitLines(run).map((line) => decodeLine(line)));
      else expect(run.equals(log)).toBe(false);
    }
  });
});
