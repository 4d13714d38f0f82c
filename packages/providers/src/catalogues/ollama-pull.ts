import { asCount, asRecord, asText } from "../json/lenient-json.ts";
import { readErrorObject } from "../wires/failures/error-text.ts";
import { type Follow, type PullProgress, ServerRefusalError } from "./server-model.ts";

/**
 * github.com/ollama/ollama docs/api.md, "Pull a Model". Each line has the size of one layer; sizes are added up, so
 * that the small layers after a large one do not start at zero again. An error is a line too, after a status of 200.
 */
export async function pullFromOllama(
  follow: Follow,
  model: string,
  onProgress: (progress: PullProgress) => void,
): Promise<void> {
  const layers = new Map<string, { completed: number; total: number }>();
  for await (const line of follow("/api/pull", { model, stream: true })) {
    const step = asRecord(line);
    if (step.error !== undefined) throw new ServerRefusalError(readErrorObject(step).message);
    const status = asText(step.status);
    if (status === "success") return;
    const total = asCount(step.total);
    if (total === undefined) onProgress({ status });
    else {
      layers.set(asText(step.digest), { total, completed: Math.min(asCount(step.completed) ?? 0, total) });
      onProgress({ status, ...sumOf([...layers.values()]) });
    }
  }
  throw new ServerRefusalError("the connection ended before the model was complete");
}

function sumOf(layers: readonly { completed: number; total: number }[]): { completed: number; total: number } {
  return layers.reduce((sum, each) => ({
    completed: sum.completed + each.completed,
    total: sum.total + each.total,
  }));
}
