import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { StatusCommand } from "./status-command.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] }));
afterEach(() => void vi.useRealTimers());

it("is started three times a second at most, and then with what is newest", async () => {
  let starts = 0;
  let changed = (): void => undefined;
  const status = new StatusCommand({
    environment: () => {
      starts += 1;
      return { PATH: process.env.PATH ?? "" };
    },
    hide: (text) => text,
    changed: () => changed(),
  });
  const nextLine = () =>
    new Promise<void>((done) => {
      changed = done;
    });
  const offer = (input: string): void => status.offer({ command: "cat", cwd: process.cwd(), input });
  const first = nextLine();
  offer("1");
  await first;
  expect(status.line).toEqual({ text: "1" });
  for (const input of ["2", "3", "4"]) offer(input);
  vi.advanceTimersByTime(349);
  expect(starts).toBe(1);
  const second = nextLine();
  vi.advanceTimersByTime(1);
  expect(starts).toBe(2);
  await second;
  expect(status.line).toEqual({ text: "4" });
  status.close();
});
