import { type FileHandle, open, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { readOwnFile } from "@harness/host";

// Writes the built-in embedder as a GGUF file, which llama.cpp runs two to five times as fast as the engine that comes with
// it. Formats: https://github.com/huggingface/safetensors and https://github.com/ggml-org/ggml/blob/master/docs/gguf.md;
// names as in llama.cpp's convert_hf_to_gguf.py, class BertModel.

const ALIGNMENT = 32;
const F32 = 0;
const F16 = 1;
const MEAN_POOLING = 1;
const NORMAL = 1;
const CONTROL = 3;

type Tensor = { dtype: string; shape: number[]; data_offsets: [number, number] };
type BertConfig = {
  num_hidden_layers: number;
  max_position_embeddings: number;
  hidden_size: number;
  intermediate_size: number;
  num_attention_heads: number;
  layer_norm_eps: number;
};
type Tokenizer = { model: { vocab: Record<string, number> }; added_tokens: { id: number; special: boolean }[] };

/** Names of tensors of BERT, and their names in GGUF. */
const TOP: readonly (readonly [string, string])[] = [
  ["embeddings.word_embeddings", "token_embd"],
  ["embeddings.position_embeddings", "position_embd"],
  ["embeddings.token_type_embeddings", "token_types"],
  ["embeddings.LayerNorm", "token_embd_norm"],
];
const IN_LAYER: readonly (readonly [string, string])[] = [
  ["attention.self.query", "attn_q"],
  ["attention.self.key", "attn_k"],
  ["attention.self.value", "attn_v"],
  ["attention.output.dense", "attn_output"],
  ["attention.output.LayerNorm", "attn_output_norm"],
  ["intermediate.dense", "ffn_up"],
  ["output.dense", "ffn_down"],
  ["output.LayerNorm", "layer_output_norm"],
];

/** `folder`: of the model's config.json, tokenizer.json and weights. Rejects if something is not as expected. */
export async function writeSentenceGguf(folder: string, path: string): Promise<void> {
  const config: BertConfig = JSON.parse(readOwnFile(join(folder, "config.json")));
  const tokenizer: Tokenizer = JSON.parse(readOwnFile(join(folder, "tokenizer.json")));
  const weights = await open(join(folder, "model.fp16.safetensors"), "r");
  const fresh = `${path}.new-${process.pid}`;
  try {
    const tensors = await readTensors(weights, config);
    await writeFileOf(fresh, headOf(factsOf(config, tokenizer), tensors), tensors);
    await rename(fresh, path);
  } finally {
    await weights.close();
    await rm(fresh, { force: true });
  }
}

type NamedTensor = { name: string; shape: number[]; type: typeof F32 | typeof F16; bytes: Buffer };

async function readTensors(file: FileHandle, { num_hidden_layers: layers }: BertConfig): Promise<NamedTensor[]> {
  const length = Number((await read(file, 0, 8)).readBigUInt64LE());
  const header: Record<string, Tensor> = JSON.parse((await read(file, 8, length)).toString("utf8"));
  const names = [...TOP];
  for (let at = 0; at < layers; at += 1) {
    for (const [from, to] of IN_LAYER) names.push([`encoder.layer.${at}.${from}`, `blk.${at}.${to}`]);
  }
  const found: NamedTensor[] = [];
  for (const [from, to] of names) {
    for (const part of ["weight", "bias"]) {
      const tensor = header[`${from}.${part}`];
      if (!tensor) continue;
      if (tensor.dtype !== "F16") throw new Error(`${from} is ${tensor.dtype} and not F16`);
      const [start, end] = tensor.data_offsets;
      const bytes = await read(file, 8 + length + start, end - start);
      // Vectors and positions are computed with whole precision.
      const isSmall = tensor.shape.length === 1 || to === "position_embd" || to === "token_types";
      const shape = tensor.shape.toReversed();
      found.push({ name: `${to}.${part}`, shape, type: isSmall ? F32 : F16, bytes: isSmall ? widened(bytes) : bytes });
    }
  }
  return found;
}

async function read(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const buffer = Buffer.alloc(length);
  const { bytesRead } = await file.read(buffer, 0, length, position);
  if (bytesRead < length) throw new Error("the weights are cut off");
  return buffer;
}

function widened(bytes: Buffer): Buffer {
  const wide = Buffer.alloc(bytes.length * 2);
  for (let at = 0; at < bytes.length; at += 2) wide.writeFloatLE(halfFloat(bytes.readUInt16LE(at)), at * 2);
  return wide;
}

/** IEEE 754 binary16. */
function halfFloat(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 0x1f;
  const fraction = bits & 0x3ff;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  if (exponent === 31) return fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN;
  return sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}

function factsOf(config: BertConfig, { model, added_tokens: added }: Tokenizer): Buffer[] {
  const special = new Set(added.filter((each) => each.special).map(({ id }) => id));
  const tokens = Object.entries(model.vocab).sort(([, a], [, b]) => a - b);
  return [
    fact("general.architecture", text("bert")),
    fact("general.name", text("all-MiniLM-L6-v2")),
    fact("general.file_type", u32(F16)),
    fact("bert.block_count", u32(config.num_hidden_layers)),
    fact("bert.context_length", u32(config.max_position_embeddings)),
    fact("bert.embedding_length", u32(config.hidden_size)),
    fact("bert.feed_forward_length", u32(config.intermediate_size)),
    fact("bert.attention.head_count", u32(config.num_attention_heads)),
    fact("bert.attention.layer_norm_epsilon", f32(config.layer_norm_eps)),
    fact("bert.attention.causal", flag(0)),
    fact("bert.pooling_type", u32(MEAN_POOLING)),
    fact("tokenizer.ggml.model", text("bert")),
    fact("tokenizer.ggml.pre", text("default")),
    fact("tokenizer.ggml.token_type_count", u32(2)),
    fact(
      "tokenizer.ggml.tokens",
      list(
        8,
        tokens.map(([token, id]) => stringBytes(wordPiece(token, special.has(id)))),
      ),
    ),
    fact(
      "tokenizer.ggml.token_type",
      list(
        5,
        tokens.map(([, id]) => uint32(special.has(id) ? CONTROL : NORMAL)),
      ),
    ),
    ...Object.entries({
      bos: "[CLS]",
      cls: "[CLS]",
      eos: "[SEP]",
      seperator: "[SEP]",
      unknown: "[UNK]",
      padding: "[PAD]",
      mask: "[MASK]",
    }).map(([name, token]) => fact(`tokenizer.ggml.${name}_token_id`, u32(model.vocab[token] ?? 0))),
  ];
}

/** Pieces inside a word begin with `##` in WordPiece; in GGUF, those at the start of a word are marked instead. */
function wordPiece(token: string, isSpecial: boolean): string {
  if (isSpecial) return token;
  return token.startsWith("##") ? token.slice(2) : `\u2581${token}`;
}

function headOf(facts: Buffer[], tensors: NamedTensor[]): Buffer {
  let offset = 0;
  const infos = tensors.map(({ name, shape, type, bytes }) => {
    const info = Buffer.concat([
      stringBytes(name),
      uint32(shape.length),
      ...shape.map(uint64),
      uint32(type),
      uint64(offset),
    ]);
    offset += aligned(bytes.length);
    return info;
  });
  const head = Buffer.concat([
    ...[Buffer.from("GGUF"), uint32(3), uint64(tensors.length), uint64(facts.length)],
    ...facts,
    ...infos,
  ]);
  return Buffer.concat([head, Buffer.alloc(aligned(head.length) - head.length)]);
}

async function writeFileOf(path: string, head: Buffer, tensors: NamedTensor[]): Promise<void> {
  const file = await open(path, "w", 0o600);
  try {
    await file.write(head);
    for (const { bytes } of tensors) {
      await file.write(bytes);
      await file.write(Buffer.alloc(aligned(bytes.length) - bytes.length));
    }
    await file.sync();
  } finally {
    await file.close();
  }
}

const aligned = (bytes: number) => Math.ceil(bytes / ALIGNMENT) * ALIGNMENT;

type Value = { type: number; bytes: Buffer };
const fact = (name: string, { type, bytes }: Value) => Buffer.concat([stringBytes(name), uint32(type), bytes]);
const u32 = (value: number): Value => ({ type: 4, bytes: uint32(value) });
const flag = (value: number): Value => ({ type: 7, bytes: Buffer.from([value]) });
const text = (value: string): Value => ({ type: 8, bytes: stringBytes(value) });
const list = (of: number, items: Buffer[]): Value => {
  return { type: 9, bytes: Buffer.concat([uint32(of), uint64(items.length), ...items]) };
};
const f32 = (value: number): Value => {
  const bytes = Buffer.alloc(4);
  bytes.writeFloatLE(value);
  return { type: 6, bytes };
};
function stringBytes(value: string): Buffer {
  const bytes = Buffer.from(value);
  return Buffer.concat([uint64(bytes.length), bytes]);
}
function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}
function uint64(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(value));
  return bytes;
}
