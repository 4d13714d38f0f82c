import { rmSync, writeFileSync } from "node:fs";
import { readRegularFile } from "@harness/host";
import * as z from "zod";

const MAX_BYTES = 1_000;

/** Which process a person wants to go on: its group, its mark, and when it started, as ids are used again. */
const KeptProcesses = z.object({ groupId: z.int().min(2), callId: z.string(), start: z.string() });
export type KeptProcesses = z.infer<typeof KeptProcesses>;

/** Beside the output of a process, as long as it may outlive its session. */
export function keptPathOf(outputPath: string): string {
  return `${outputPath}.kept`;
}

/** Throws errors of the file system. */
export function writeKept(outputPath: string, kept: KeptProcesses): void {
  writeFileSync(keptPathOf(outputPath), JSON.stringify(kept), { mode: 0o600 });
}

export function removeKept(outputPath: string): void {
  rmSync(keptPathOf(outputPath), { force: true });
}

/** Undefined where there is no such file, or none of ours. */
export function readKept(outputPath: string): KeptProcesses | undefined {
  try {
    const bytes = readRegularFile(keptPathOf(outputPath), { maxBytes: MAX_BYTES, followLinks: false });
    return KeptProcesses.parse(JSON.parse(bytes.toString()));
  } catch {
    return undefined;
  }
}
