import { writeFileSync } from "node:fs";

export type RandomModel = {
  path: string;
  seed?: number;
  contextTokens?: number;
  /** A token that the model writes wherever it may write anything. */
  favourite?: string;
  chatTemplate?: string;
  name?: string;
};

const WIDTH = 64;
const LAYERS = 2;
const HEADS = 4;
const INNER = 128;
/** Codes of the format: https://github.com/ggml-org/ggml/blob/master/docs/gguf.md */
const code = { u32: 4, i32: 5, f32: 6, text: 8, list: 9 };
const kind = { normal: 1, unknown: 2, control: 3, own: 4, byte: 6 };

/**
 * Writes a complete llama model with random weights, of half a megabyte: it generates nonsense, but runs like any
 * other.
 */
export function writeRandomGguf({
  path,
  seed = 1,
  contextTokens = 2048,
  favourite = "▁nothing",
  ...rest
}: RandomModel): void {
  const { chatTemplate, name = "random" } = rest;
  const tokens = vocabulary(favourite);
  const facts = [
    fact("general.architecture", text("llama")),
    fact("general.name", text(name)),
    fact("llama.context_length", u32(contextTokens)),
    fact("llama.embedding_length", u32(WIDTH)),
    fact("llama.block_count", u32(LAYERS)),
    fact("llama.feed_forward_length", u32(INNER)),
    fact("llama.attention.head_count", u32(HEADS)),
    fact("llama.attention.head_count_kv", u32(HEADS)),
    fact("llama.rope.dimension_count", u32(WIDTH / HEADS)),
    fact("llama.attention.layer_norm_rms_epsilon", f32(1e-5)),
    fact("tokenizer.ggml.model", text("llama")),
    fact(
      "tokenizer.ggml.tokens",
      list(
        code.text,
        tokens.map((each) => text(each.text)),
      ),
    ),
    fact(
      "tokenizer.ggml.scores",
      list(
        code.f32,
        tokens.map((_, at) => f32(-at)),
      ),
    ),
    fact(
      "tokenizer.ggml.token_type",
      list(
        code.i32,
        tokens.map((each) => u32(each.kind)),
      ),
    ),
    fact("tokenizer.ggml.unknown_token_id", u32(0)),
    fact("tokenizer.ggml.bos_token_id", u32(1)),
    fact("tokenizer.ggml.eos_token_id", u32(2)),
    ...(chatTemplate === undefined ? [] : [fact("tokenizer.chat_template", text(chatTemplate))]),
  ];
  const isFavourite = favourite === "▁nothing" ? -1 : tokens.findIndex((each) => each.text === favourite);
  writeFileSync(path, whole(facts, tensors(tokens.length, seed, isFavourite)));
}

type Token = { text: string; kind: number };

function vocabulary(favourite: string): Token[] {
  const bytes = Array.from({ length: 256 }, (_, value) => {
    return { text: `<0x${value.toString(16).toUpperCase().padStart(2, "0")}>`, kind: kind.byte };
  });
  const words = ["▁", "e", "a", "▁the", "ing", "r", "s", "t", "on"].map((each) => ({ text: each, kind: kind.normal }));
  return [
    { text: "<unk>", kind: kind.unknown },
    { text: "<s>", kind: kind.control },
    { text: "</s>", kind: kind.control },
    ...bytes,
    ...words,
    { text: favourite, kind: kind.own },
    { text: "<|im_end|>", kind: kind.control },
  ];
}

type Tensor = { name: string; shape: number[]; values: Float32Array };

/** The first number of every embedding is the same, so the last matrix's weights for it count in each step. */
function tensors(words: number, seed: number, favourite: number): Tensor[] {
  const random = mulberry32(seed);
  const made = (name: string, shape: number[], scale: number): Tensor => {
    const values = new Float32Array(shape.reduce((size, each) => size * each, 1));
    for (let at = 0; at < values.length; at += 1) values[at] = (random() * 2 - 1) * scale;
    return { name, shape, values };
  };
  const ones = (name: string): Tensor => ({ name, shape: [WIDTH], values: new Float32Array(WIDTH).fill(1) });
  const embeddings = made("token_embd.weight", [WIDTH, words], 1);
  const output = made("output.weight", [WIDTH, words], 1);
  for (let word = 0; word < words; word += 1) {
    embeddings.values[word * WIDTH] = 4;
    output.values[word * WIDTH] = word === favourite ? 40 : 0;
  }
  const layers = Array.from({ length: LAYERS }, (_, at) => [
    ones(`blk.${at}.attn_norm.weight`),
    made(`blk.${at}.attn_q.weight`, [WIDTH, WIDTH], 0.2),
    made(`blk.${at}.attn_k.weight`, [WIDTH, WIDTH], 0.2),
    made(`blk.${at}.attn_v.weight`, [WIDTH, WIDTH], 0.2),
    made(`blk.${at}.attn_output.weight`, [WIDTH, WIDTH], 0.1),
    ones(`blk.${at}.ffn_norm.weight`),
    made(`blk.${at}.ffn_gate.weight`, [WIDTH, INNER], 0.1),
    made(`blk.${at}.ffn_up.weight`, [WIDTH, INNER], 0.1),
    made(`blk.${at}.ffn_down.weight`, [INNER, WIDTH], 0.1),
  ]);
  return [embeddings, ...layers.flat(), ones("output_norm.weight"), output];
}

function whole(facts: Buffer[], all: Tensor[]): Buffer {
  let offset = 0;
  const infos = all.map(({ name, shape, values }) => {
    const info = Buffer.concat([text(name), u32(shape.length), ...shape.map(u64), u32(0), u64(offset)]);
    offset += values.byteLength;
    return info;
  });
  const head = Buffer.concat([Buffer.from("GGUF"), u32(3), u64(all.length), u64(facts.length), ...facts, ...infos]);
  // Tensor sizes are multiples of 32 bytes, the alignment that each of them requires.
  const padding = Buffer.alloc((32 - (head.length % 32)) % 32);
  return Buffer.concat([head, padding, ...all.map(({ values }) => Buffer.from(values.buffer))]);
}

type Value = { code: number; bytes: Buffer } & Buffer;

const typed = (type: number, bytes: Buffer): Value => Object.assign(bytes, { code: type, bytes });
const fact = (name: string, value: Value) => Buffer.concat([text(name), u32(value.code), value]);
const text = (value: string) => {
  const bytes = Buffer.from(value);
  return typed(code.text, Buffer.concat([u64(bytes.length), bytes]));
};
const u32 = (value: number): Value => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return typed(code.u32, bytes);
};
const f32 = (value: number): Value => {
  const bytes = Buffer.alloc(4);
  bytes.writeFloatLE(value);
  return typed(code.f32, bytes);
};
const u64 = (value: number) => {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(value));
  return bytes;
};
const list = (type: number, values: readonly Buffer[]) =>
  typed(code.list, Buffer.concat([u32(type), u64(values.length), ...values]));

function mulberry32(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
