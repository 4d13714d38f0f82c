// ATIF v1.7 after its RFC 0001 (rfcs/0001-trajectory-format.md of the project Harbor) and what its validator checks. Unknown fields
// are refused, as it refuses them.
import * as z from "zod";

const extra = z.record(z.string(), z.unknown()).optional();
const count = z.number().int().min(0).optional();

const ContentPart = z.union([
  z.strictObject({ type: z.literal("text"), text: z.string() }),
  z.strictObject({
    type: z.literal("image"),
    source: z.strictObject({
      media_type: z.enum(["image/jpeg", "image/png", "image/gif", "image/webp"]),
      path: z.string(),
    }),
  }),
]);
const Text = z.union([z.string(), z.array(ContentPart)]);

const Metrics = z.strictObject({
  prompt_tokens: count,
  completion_tokens: count,
  cached_tokens: count,
  cost_usd: z.number().min(0).optional(),
  prompt_token_ids: z.array(z.number()).optional(),
  completion_token_ids: z.array(z.number()).optional(),
  logprobs: z.array(z.number()).optional(),
  extra,
});

const Result = z.strictObject({
  source_call_id: z.string().optional(),
  content: Text.optional(),
  subagent_trajectory_ref: z
    .array(
      z
        .strictObject({
          trajectory_id: z.string().optional(),
          trajectory_path: z.string().optional(),
          session_id: z.string().optional(),
          extra,
        })
        .refine((ref) => ref.trajectory_id !== undefined || ref.trajectory_path !== undefined),
    )
    .optional(),
  extra,
});

const AGENT_ONLY = ["model_name", "reasoning_effort", "reasoning_content", "tool_calls", "metrics"] as const;

const Step = z
  .strictObject({
    step_id: z.number().int().min(1),
    timestamp: z.iso.datetime({ offset: true }).optional(),
    source: z.enum(["system", "user", "agent"]),
    model_name: z.string().optional(),
    reasoning_effort: z.union([z.string(), z.number()]).optional(),
    message: Text,
    reasoning_content: z.string().optional(),
    tool_calls: z
      .array(
        z.strictObject({
          tool_call_id: z.string(),
          function_name: z.string(),
          arguments: z.record(z.string(), z.unknown()),
          extra,
        }),
      )
      .optional(),
    observation: z.strictObject({ results: z.array(Result) }).optional(),
    metrics: Metrics.optional(),
    is_copied_context: z.boolean().optional(),
    llm_call_count: z.number().int().min(0).optional(),
    extra,
  })
  .refine((step) => step.source === "agent" || AGENT_ONLY.every((field) => step[field] === undefined), {
    error: "only steps of the agent have these fields",
  })
  .refine((step) => step.llm_call_count !== 0 || (step.metrics ?? step.reasoning_content) === undefined, {
    error: "a step without a request has no metrics and no thoughts",
  })
  .refine(
    ({ tool_calls = [], observation }) => {
      const ids = tool_calls.map(({ tool_call_id }) => tool_call_id);
      return (observation?.results ?? []).every(({ source_call_id: id }) => id === undefined || ids.includes(id ?? ""));
    },
    { error: "a result is of a call of its step" },
  );

/** One document; those of its subagents are in it. */
const Fields = z.strictObject({
  schema_version: z.literal("ATIF-v1.7"),
  session_id: z.string().optional(),
  trajectory_id: z.string().optional(),
  agent: z.strictObject({
    name: z.string(),
    version: z.string(),
    model_name: z.string().optional(),
    tool_definitions: z.array(z.record(z.string(), z.unknown())).optional(),
    extra,
  }),
  steps: z.array(Step).min(1),
  notes: z.string().optional(),
  final_metrics: z
    .strictObject({
      total_prompt_tokens: count,
      total_completion_tokens: count,
      total_cached_tokens: count,
      total_cost_usd: z.number().min(0).optional(),
      total_steps: count,
      extra,
    })
    .optional(),
  continued_trajectory_ref: z.string().optional(),
  extra,
});
type Trajectory = z.infer<typeof Fields> & { subagent_trajectories?: Trajectory[] | undefined };

export const AtifTrajectory: z.ZodType<Trajectory> = Fields.extend({
  subagent_trajectories: z.lazy(() => z.array(AtifTrajectory)).optional(),
})
  .refine(({ steps }) => steps.every(({ step_id }, index) => step_id === index + 1), {
    error: "steps are numbered from 1",
  })
  .refine(
    ({ steps, subagent_trajectories: inside = [] }) => {
      const ids = inside.map(({ trajectory_id }) => trajectory_id);
      const named = steps.flatMap(({ observation }) =>
        (observation?.results ?? []).flatMap(({ subagent_trajectory_ref: refs = [] }) => refs),
      );
      const isWhole = ids.every((id) => id !== undefined) && new Set(ids).size === ids.length;
      return (
        isWhole && named.every(({ trajectory_id: id, trajectory_path }) => trajectory_path || ids.includes(id ?? ""))
      );
    },
    { error: "subagents have ids of their own, and those that are named are there" },
  );
