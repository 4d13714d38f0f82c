import type { Effect } from "@harness/protocol";

/** A tool as rules know it. `subject`: what a rule about it may name; absent: that is not known. */
export type RuleTool = { name: string; subject?: "argv" | "path" | "host" };

const subjects: Readonly<Partial<Record<Effect["kind"], RuleTool["subject"]>>> = {
  run: "argv",
  read: "path",
  write: "path",
  reach: "host",
};

/** The part of a tool that shows what rules about it may name. */
type EffectfulTool = { readonly name: string; effects(args: unknown, cwd: string): Effect[] };

/** The tools that rules may name: these, and others by name only. */
export function ruleTools(tools: readonly EffectfulTool[], more: readonly string[] = []): RuleTool[] {
  return [...tools.map(ruleTool), ...more.map((name) => ({ name }))];
}

function ruleTool(tool: EffectfulTool): RuleTool {
  const kind = kindOfEffect(tool);
  const subject = kind && subjects[kind];
  return subject ? { name: tool.name, subject } : { name: tool.name };
}

/** The kind of effect that a tool reports for a sample call. */
function kindOfEffect(tool: EffectfulTool): Effect["kind"] | undefined {
  for (const sample of ["sample", "https://sample.example/"]) {
    try {
      // Whatever it asks of its arguments is there.
      const args = new Proxy({}, { get: () => sample });
      const [effect] = tool.effects(args, "/");
      if (effect) return effect.kind;
    } catch {
      // The arguments are not text: try the next sample.
    }
  }
  return undefined;
}
