/** A vector of length 1, or why the answer holds none, as the end of a sentence: "the vector …". */
export type CheckedVector = { ok: true; vector: Float32Array } | { ok: false; fault: string; dimensions?: number };

/** `dimensions`: as all vectors before; absent: none is known yet. */
export function checkedVector(value: unknown, dimensions: number | undefined): CheckedVector {
  const numbers = typeof value === "string" ? floatsOf(value) : value;
  if (!Array.isArray(numbers) && !(numbers instanceof Float32Array)) return { ok: false, fault: "is not a list" };
  if (numbers.length === 0) return { ok: false, fault: "is empty" };
  if (dimensions !== undefined && numbers.length !== dimensions) {
    const fault = `has ${numbers.length} dimensions instead of ${dimensions}`;
    return { ok: false, fault, dimensions: numbers.length };
  }
  let squares = 0;
  for (const number of numbers) {
    if (typeof number !== "number" || !Number.isFinite(number)) {
      return { ok: false, fault: "holds something that is not a number" };
    }
    squares += number * number;
  }
  if (squares === 0) return { ok: false, fault: "is all zeros" };
  if (!Number.isFinite(squares)) return { ok: false, fault: "holds something that is not a number" };
  const length = Math.sqrt(squares);
  return { ok: true, vector: Float32Array.from(numbers, (number) => number / length) };
}

/** OpenAI's `encoding_format: "base64"`: 32-bit floats, little-endian. */
function floatsOf(text: string): Float32Array | undefined {
  const bytes = Buffer.from(text, "base64");
  if (bytes.length === 0 || bytes.length % 4 !== 0) return undefined;
  const floats = new Float32Array(bytes.length / 4);
  for (let at = 0; at < floats.length; at += 1) floats[at] = bytes.readFloatLE(at * 4);
  return floats;
}
