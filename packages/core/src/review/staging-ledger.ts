import type { SessionState, StagedFile } from "@harness/protocol";
import { isGeneratedPath } from "@harness/protocol/text";

type StagingCall = { agentId: string; toolCallId: string };

/**
 * The order of files in a review: that of the calls that began to change them, as in the conversation, whichever
 * ended first. Caches come last.
 */
export class StagingLedger {
  readonly #calls = new Map<string, StagingCall>();

  /** A call begins to change a file that nothing is staged for. */
  begin(path: string, call: StagingCall): void {
    this.#calls.set(path, call);
  }

  /** The files of an earlier process come first, as they were staged. */
  sorted({ staged, agents }: Pick<SessionState, "staged" | "agents">): StagedFile[] {
    const agentIds = [...agents.keys()];
    const rank = ({ path }: StagedFile): [number, number, number] => {
      const { agentId = "", toolCallId = "" } = this.#calls.get(path) ?? {};
      const position = agents.get(agentId)?.positions.get(toolCallId) ?? -1;
      return [isGeneratedPath(path) ? 1 : 0, agentIds.indexOf(agentId), position];
    };
    const ranked = [...staged.values()].map((file) => ({ file, rank: rank(file) }));
    return ranked.sort((a, b) => firstDifference(a.rank, b.rank)).map(({ file }) => file);
  }
}

function firstDifference(one: readonly number[], other: readonly number[]): number {
  return one.map((each, at) => each - (other[at] ?? 0)).find((difference) => difference !== 0) ?? 0;
}
