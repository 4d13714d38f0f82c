import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, it } from "vitest";

const LENGTH = 300_000;

/** A process that writes more than a pipe holds, and ends; it says so on stderr before. */
function begun() {
  const module = new URL("output-end.ts", import.meta.url).href;
  const script = `
    import { outputEnd } from ${JSON.stringify(module)};
    process.stdout.write("x".repeat(${LENGTH}));
    process.stderr.write("written");
    await outputEnd();
    process.exit(7);`;
  return spawn(process.execPath, ["--input-type=module", "-e", script], { stdio: ["ignore", "pipe", "pipe"] });
}

it("a reader that comes late gets all of the output", async () => {
  const child = begun();
  await once(child.stderr, "data");
  let length = 0;
  child.stdout.on("data", (bytes: Buffer) => {
    length += bytes.length;
  });
  const [code] = await once(child, "close");
  expect([code, length]).toEqual([7, LENGTH]);
});

it("a reader that leaves does not hold it up", async () => {
  const child = begun();
  await once(child.stderr, "data");
  child.stdout.destroy();
  const [code] = await once(child, "close");
  expect(code).toBe(7);
});
