import { spawn } from "node:child_process";
import { once } from "node:events";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";

const script = `
import { spawn } from "node:child_process";
import { endWithUs } from ${JSON.stringify(resolve(import.meta.dirname, "process-group.ts"))};
const child = spawn("sh", ["-c", "trap '' TERM HUP; echo $$; exec sleep 600"], { detached: true, stdio: ["ignore", "inherit", "ignore"] });
endWithUs(child.pid);
process.stdin.once("data", () => process.exit(3));
`;

describe("endWithUs", () => {
  it("kills a group that ignores every other signal when this process exits", async () => {
    const parent = spawn(process.execPath, ["--input-type=module-typescript", "-e", script], {
      stdio: ["pipe", "pipe", "inherit"],
    });
    const closed = once(parent.stdout, "close");
    await once(parent.stdout, "data");
    const exited = once(parent, "exit");
    parent.stdin.write("x");
    expect((await exited)[0]).toBe(3);
    // The pipe closes when the last process that holds it has exited; the sleep would hold it for ten minutes.
    await closed;
  });
});
