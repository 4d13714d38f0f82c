import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type DecisionCase, keptRuleDecisions, modeDecisions, sample, writtenRuleDecisions } from "@harness/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { writeDecisionWorkspace } from "../../test/decision-workspace.ts";
import { GateDesk } from "../../test/gate-desk.ts";

const place = realpathSync(mkdtempSync(join(tmpdir(), "decisions-")));
const [cwd, home] = [join(place, "w"), join(place, "home")];
const desk = new GateDesk({ cwd, home });
const cases = [...modeDecisions, ...keptRuleDecisions, ...writtenRuleDecisions];

beforeAll(async () => {
  writeDecisionWorkspace(cwd, home);
  await desk.ready();
});
afterAll(() => rmSync(place, { recursive: true, force: true }));

function nameOf({ mode, kept, allow, deny }: DecisionCase): string {
  const rules = [...(allow ?? []).map((rule) => `allow ${rule}`), ...(deny ?? []).map((rule) => `deny ${rule}`)];
  return [mode ?? "default", ...(kept === undefined ? [] : [`always ${kept}`]), ...rules].join(", ");
}

describe.each(cases.map((each) => [nameOf(each), each] as const))(
  "%s",
  (_name, { stopped = [], runs = [], ...setting }) => {
    it.each(sample(stopped, 2).map((command) => [command]))("stops %s", async (command) => {
      expect((await desk.decide(command, setting)).verdict).not.toBe("allowed");
    });
    it.each(sample(runs, 2).map((command) => [command]))("runs %s", async (command) => {
      const { verdict, request } = await desk.decide(command, setting);
      expect([verdict, request?.title, request?.reason]).toEqual(["allowed", undefined, undefined]);
    });
  },
);

it("there are at least 300 commands, and neither side is small", () => {
  const stopped = cases.flatMap((each) => each.stopped ?? []).length;
  const runs = cases.flatMap((each) => each.runs ?? []).length;
  expect(stopped + runs).toBeGreaterThanOrEqual(300);
  expect(Math.min(stopped, runs)).toBeGreaterThanOrEqual(120);
});
