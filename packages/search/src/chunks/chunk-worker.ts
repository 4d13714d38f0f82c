import { createHash } from "node:crypto";
import type { ChunkedSource, Chunker } from "../indexing/index-update.ts";
import { wordsOf } from "../words/words.ts";
export class ChunkPool implements Chunker {
  async chunk(files: readonly { path: string; text: string }[]): Promise<ChunkedSource[]> {
    return files.map(({ path, text }) => {
      const lines = text.split("\n");
      const chunks: ChunkedSource["chunks"] = [];
      for (let at = 0; at < lines.length; at += 40) {
        const part = lines
          .slice(at, at + 40)
          .join("\n")
          .slice(0, 4000);
        const names = [...part.matchAll(/(?:function|class|def|func|fn) (\w+)/g)].map((m) => m[1] ?? "");
        chunks.push({
          kind: "code",
          startLine: at + 1,
          endLine: Math.min(lines.length, at + 40),
          names,
          signatures: [],
          comment: "",
          text: part,
          words: { name: wordsOf(names.join(" ")), path: wordsOf(path), comment: [], body: wordsOf(part) },
          digest: createHash("sha256").update(part).digest("hex"),
        });
      }
      return { language: path.split(".").pop() ?? "text", header: "", isFallback: false, chunks };
    });
  }
}
