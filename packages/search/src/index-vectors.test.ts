import type { Embedder, EmbedderResult } from "@harness/core";
import { describe, expect, it } from "vitest";
import { IndexVectors } from "./index-vectors.ts";
import type { VectorStepName } from "./indexing/process/messages.ts";
import { VectorWriter } from "./indexing/vector-writer.ts";

const clock = { now: () => 0, monotonicMs: () => 0, sleep: async () => undefined };

/** Makes vectors once `go` is called. */
class SlowEmbedder implements Embedder {
  readonly dimensions = 2;
  readonly maxTokens = 100;
  readonly name: string;
  readonly key: string;
  readonly asked: string[] = [];
  #go = Promise.withResolvers<void>();
  #began = Promise.withResolvers<void>();

  constructor(name: string) {
    this.name = name;
    this.key = `${name}@2`;
  }

  get began(): Promise<void> {
    return this.#began.promise;
  }

  go(): void {
    this.#go.resolve();
  }

  async embed(texts: readonly string[]) {
    this.asked.push(...texts);
    this.#began.resolve();
    await this.#go.promise;
    return { vectors: texts.map(() => new Float32Array([1, 0])) };
  }
}

function open(embedders: Record<string, Embedder>) {
  const settings: { wanted: string | undefined } = { wanted: undefined };
  const adopted: string[] = [];
  const vectors = new IndexVectors(
    {
      store: { exists: true, location: async () => ({ folder: "/f", database: "/f.db" }) },
      embedders: {
        get wanted() {
          return settings.wanted;
        },
        async open(name): Promise<EmbedderResult> {
          const embedder = embedders[name];
          return embedder ? { ok: true, embedder } : { ok: false, problem: `There is no ${name}.` };
        },
      },
      clock,
      onProgress: () => undefined,
    },
    {
      pass: async () => undefined,
      async withVectors({ embedder }, write) {
        const texts = ["one", "two"];
        const answers: Partial<Record<VectorStepName, () => unknown>> = {
          missing: () => texts.slice(0, 1).map((text) => ({ digest: text, text })),
          put: () => void texts.shift(),
          progress: () => ({ done: 2 - texts.length, total: 2 }),
          adopt: () => void adopted.push(embedder.name),
        };
        return write(new VectorWriter(async ({ step }) => answers[step]?.()));
      },
    },
  );
  return { vectors, settings, adopted };
}

const signal = new AbortController().signal;

describe("the vectors of an index", () => {
  it("of an embedder that the settings no longer name are not made any more", async () => {
    const [one, two] = [new SlowEmbedder("one"), new SlowEmbedder("two")];
    const { vectors, settings, adopted } = open({ one, two });
    settings.wanted = "one";
    const first = vectors.make(signal);
    await one.began;
    settings.wanted = "two";
    const second = vectors.make(signal);
    one.go();
    two.go();
    expect(await Promise.all([first, second])).toEqual([undefined, undefined]);
    expect([one.asked, two.asked, adopted]).toEqual([["one"], ["one", "two"], ["two"]]);
  });

  it("are not made any more once the settings name none", async () => {
    const one = new SlowEmbedder("one");
    const { vectors, settings, adopted } = open({ one });
    settings.wanted = "one";
    const making = vectors.make(signal);
    await one.began;
    settings.wanted = undefined;
    one.go();
    expect(await making).toBeUndefined();
    expect([one.asked, adopted, vectors.problem]).toEqual([["one"], [], undefined]);
  });

  it("are not made any more once the settings forbid their embedder, and say so", async () => {
    const one = new SlowEmbedder("one");
    const embedders: Record<string, Embedder> = { one };
    const { vectors, settings } = open(embedders);
    settings.wanted = "one";
    const making = vectors.make(signal);
    await one.began;
    delete embedders.one;
    one.go();
    expect(await making).toBe("There is no one.");
    expect([one.asked, vectors.problem]).toEqual([["one"], "There is no one."]);
  });

  it("are made once the settings name an embedder, not with every search", async () => {
    const [one, two] = [new SlowEmbedder("one"), new SlowEmbedder("two")];
    one.go();
    two.go();
    const { vectors, settings, adopted } = open({ one, two });
    vectors.resume(signal);
    for (const wanted of ["one", "one", "two"]) {
      settings.wanted = wanted;
      vectors.resume(signal);
      await vectors.end();
    }
    expect(adopted).toEqual(["one", "two"]);
  });

  it("of a question come from the embedder of the settings, whatever it calls itself", async () => {
    const file = new SlowEmbedder("gguf/minilm");
    file.go();
    const { vectors, settings } = open({ "/models/minilm.gguf": file });
    settings.wanted = "/models/minilm.gguf";
    expect(await vectors.ofQuery("question", { key: file.key, name: file.name })).toMatchObject({ key: file.key });
  });
});
