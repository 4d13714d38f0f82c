import { rmSync, writeFileSync } from "node:fs";
import { readRegularFile } from "@harness/host";
import * as z from "zod";

const MAX_BYTES = 1_000;

/** A process that the user wants to keep running: its group, its mark, and its start time, because ids are reused. */
const KeptProcesses = z.object({ groupId: z.int().min(2), callId: z.string(), start: z.string() });
export type KeptProcesses = z.infer<typeof KeptProcesses>;

/** Next to the output of a process, as long as it may outlive its session. */
export function keptPathOf(outputPath: string): string {
  return `${outputPath}.kept`;
}

/** Throws file system errors. */
export function writeKept(outputPath: string, kept: KeptProcesses): void {
  writeFileSync(keptPathOf(outputPath), JSON.stringify(kept), { mode: 0o600 });
}

export function removeKept(outputPath: string): void {
  rmSync(keptPathOf(outputPath), { force: true });
}

/** Undefined if there is no such file, or it is not ours. */
export function readKept(outputPath: string): KeptProcesses | undefined {
  try {
    const bytes = readRegularFile(keptPathOf(outputPath), { maxBytes: MAX_BYTES, followLinks: false });
    return KeptProcesses.parse(JSON.parse(bytes.toString()));
  } catch {
    return undefined;
  }
}
