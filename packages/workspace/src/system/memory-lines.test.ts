import { expect, it } from "vitest";
import { startMemoryLines } from "./memory-lines.ts";

function lines(HARNESS_MEMORY_LOG: string | undefined): string[] {
  const written: string[] = [];
  let again = (): void => undefined;
  const env = HARNESS_MEMORY_LOG === undefined ? {} : { HARNESS_MEMORY_LOG };
  let rss = 80_000_000;
  const used = () => ({ rss, heapUsed: 20_400_000, heapTotal: 30_000_000, external: 2_000_000 });
  const write = (level: string, where: string, text: unknown) => written.push(`${level} ${where}: ${String(text)}`);
  startMemoryLines(env, { write }, { used, every: (run) => (again = run) });
  rss = 91_000_000;
  again();
  return written;
}

it("a server that is asked to says how much memory it uses, again and again", () => {
  expect(lines("1")).toEqual([
    "info memory: 80.0 MB in all, 20.4 of 30.0 MB heap, 2.0 MB outside of it",
    "info memory: 91.0 MB in all, 20.4 of 30.0 MB heap, 2.0 MB outside of it",
  ]);
});

it.each([undefined, "", "0", "no"])("HARNESS_MEMORY_LOG=%s says nothing", (value) => {
  expect(lines(value)).toEqual([]);
});
