import { expect, it } from "vitest";
import { TerminalLoan } from "./terminal-loan.ts";

it("signals of the keyboard are the other program's until shortly after its end", () => {
  let now = 0;
  const loan = new TerminalLoan(() => now);
  expect(loan).toMatchObject({ isLent: false, takesKeys: false });
  loan.begin();
  now = 10_000;
  expect(loan).toMatchObject({ isLent: true, takesKeys: true });
  loan.end();
  expect(loan).toMatchObject({ isLent: false, takesKeys: true });
  now += 499;
  expect(loan.takesKeys).toBe(true);
  now += 1;
  expect(loan.takesKeys).toBe(false);
});
