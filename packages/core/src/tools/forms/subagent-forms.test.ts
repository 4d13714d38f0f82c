import { describe, expect, it } from "vitest";
import { subagentForms } from "./subagent-forms.ts";

function converted(name: string, input: Record<string, unknown>): unknown {
  const form = subagentForms.find((each) => each.name === name);
  return form && [form.toolFor?.(input) ?? form.tool, form.convert(input)];
}

describe("how other programs start agents", () => {
  it.each<[string, Record<string, unknown>, unknown]>([
    ["run_agent", { agent: "a", task: "x" }, ["agent", { agent: "a", task: "x" }]],
    ["agent", { prompt: "x", model: "m", provider: "p" }, ["agent", { task: "x", model: "p/m" }]],
    ["agent", { task: "x", budget: { turns: 2 } }, ["agent", { task: "x", budget: { turns: 2 } }]],
    ["Task", { description: "d", prompt: "x", subagent_type: "general-purpose" }, ["agent", { task: "x" }]],
    ["Task", { description: "d", subagent_type: "a", model: "inherit" }, ["agent", { task: "d", agent: "a" }]],
    ["Task", { prompt: "x", run_in_background: true }, ["start_subagent", { task: "x", background: true }]],
    ["Task", { prompt: "x", run_in_background: false }, ["agent", { task: "x" }]],
    ["start_subagent", { task: "x", run_in_background: true }, ["start_subagent", { task: "x", background: true }]],
    ["start_subagent", { task: "x", run_in_background: false }, ["start_subagent", { task: "x" }]],
    ["agent", { prompt: "x", run_in_background: true }, ["start_subagent", { task: "x", background: true }]],
    ["agent", { prompt: "x", run_in_background: false }, ["agent", { task: "x" }]],
    ["spawn_agent", { message: "x", agent_type: "worker" }, ["start_subagent", { task: "x" }]],
    ["start_subagent", { task: "x", agent: "a" }, ["start_subagent", { task: "x", agent: "a" }]],
  ])("how other programs start agents is understood: %s %j", (name, input, wanted) => {
    expect(converted(name, input)).toEqual(wanted);
  });
});
