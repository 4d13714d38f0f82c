import type { Reporter, TestCase, TestModule } from "vitest/node";

/**
 * Ends a test run with one line that any log reader understands: `N passed, N failed, N skipped`. It is preceded by the
 * suites that this machine cannot run, with what they need, and the tests that passed only when retried.
 */
class ClosingLineReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const count = { passed: 0, failed: 0, skipped: 0, pending: 0 };
    const skipped: string[] = [];
    const flaky: string[] = [];
    for (const module of modules) {
      let seen = 0;
      for (const suite of module.children.allSuites())
        if (suite.name.includes(" - skipped: ")) skipped.push(suite.name);
      for (const test of module.children.allTests()) {
        seen += 1;
        count[test.result().state] += 1;
        if (test.diagnostic()?.flaky) flaky.push(flakyLine(module, test));
      }
      // A file that does not even load has no tests, but it did fail.
      if (seen === 0 && module.state() === "failed") count.failed += 1;
    }
    for (const name of skipped) process.stdout.write(`\nSKIPPED ${name}`);
    for (const line of flaky) process.stdout.write(`\nflaky: ${line}`);
    process.stdout.write(
      `\n${count.passed} passed, ${count.failed} failed, ${count.skipped + count.pending} skipped\n`,
    );
  }
}

/** Where the test is, and its first failure. */
function flakyLine({ relativeModuleId }: TestModule, test: TestCase): string {
  const [why = ""] = test.result().errors?.[0]?.message.split("\n") ?? [];
  return `${relativeModuleId} > ${test.fullName}: ${why}`;
}

// vitest loads a reporter file by its default export.
// biome-ignore lint/style/noDefaultExport: the reporter contract of vitest asks for a default export.
export default ClosingLineReporter;
