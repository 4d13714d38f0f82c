import type { UpdateOutcome, UpdateProgress } from "../index-update.ts";

/**
 * `paths`: relative to the folder; with `isWhole` it has no other files. `gitEnv`: the complete environment of git.
 */
export type UpdateOrder = {
  folder: string;
  database: string;
  gitEnv: Readonly<Record<string, string>>;
  paths: readonly string[];
  isWhole: boolean;
};

/** To the process. Updates run one after the other. */
export type IndexCommand =
  | ({ type: "update"; id: number } & UpdateOrder)
  | { type: "cancel"; id: number }
  | { type: "pause"; isPaused: boolean };

/** From it. `failed`: `problem` is a sentence. */
export type IndexerReport =
  | ({ type: "progress"; id: number } & UpdateProgress)
  | ({ type: "done"; id: number } & UpdateOutcome)
  | { type: "failed"; id: number; problem: string };
