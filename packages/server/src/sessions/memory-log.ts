import { closeSync, mkdtempSync, openSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { memoryPages, type SessionHeader, type SessionLog } from "@harness/core";
import { writeOwnFile } from "@harness/host";
import { digestView, newSessionDigest, type StoredFact } from "@harness/protocol";

/** The log of an ephemeral session, kept in memory. Long outputs go to a private folder that `close` removes. */
export function memoryLog(header: SessionHeader): SessionLog {
  const facts: StoredFact[] = [];
  const digest = newSessionDigest(header);
  const view = digestView(digest);
  const pages = memoryPages(() => facts);
  const agents = new Set<string>();
  let blobs: string | undefined;
  let count = 0;
  const newBlob = (suffix: string) => {
    blobs ??= mkdtempSync(join(tmpdir(), "harness-"));
    count += 1;
    const path = join(blobs, `${count}${suffix}`);
    closeSync(openSync(path, "wx", 0o600));
    return path;
  };
  return {
    header,
    isBegunHere: true,
    append(entry) {
      const fact = { seq: facts.length + 1, ...entry };
      facts.push(fact);
      view.see(fact);
      return fact;
    },
    digest,
    addAgent(agentId) {
      agents.add(agentId);
      digest.subagents = agents.size;
    },
    location: undefined,
    outsideChanges: () => [],
    read: (range) => pages.read(range),
    get savedTexts() {
      return blobs === undefined ? [] : [blobs];
    },
    isOwnText: (path) => blobs !== undefined && dirname(path) === blobs,
    newBlob,
    saveText(text) {
      const path = newBlob(".txt");
      writeOwnFile(path, text);
      return path;
    },
    close() {
      if (blobs) rmSync(blobs, { recursive: true, force: true });
    },
  };
}
