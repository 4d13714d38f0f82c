/**
 * A vector in a quarter of its size: the scale as a 32-bit float, little-endian, then one signed byte for each
 * dimension. Distances between such vectors differ by less than a hundredth.
 */
export function packVector(vector: Float32Array): Uint8Array {
  const bytes = new Uint8Array(4 + vector.length);
  let largest = 0;
  for (const value of vector) largest = Math.max(largest, Math.abs(value));
  const scale = largest / 127;
  new DataView(bytes.buffer).setFloat32(0, scale, true);
  const values = new Int8Array(bytes.buffer, 4);
  for (let at = 0; at < vector.length; at += 1) values[at] = scale === 0 ? 0 : Math.round((vector[at] ?? 0) / scale);
  return bytes;
}

/** Undefined if the bytes are not a vector of so many dimensions. */
export function unpackVector(bytes: Uint8Array, dimensions: number): Float32Array | undefined {
  if (bytes.length !== 4 + dimensions) return undefined;
  const scale = new DataView(bytes.buffer, bytes.byteOffset).getFloat32(0, true);
  const values = new Int8Array(bytes.buffer, bytes.byteOffset + 4, dimensions);
  return Float32Array.from(values, (value) => value * scale);
}

/** The dot product with a packed vector; undefined if it has other dimensions. */
export function packedProduct(vector: Float32Array, bytes: Uint8Array): number | undefined {
  if (bytes.length !== 4 + vector.length) return undefined;
  const scale = new DataView(bytes.buffer, bytes.byteOffset).getFloat32(0, true);
  const values = new Int8Array(bytes.buffer, bytes.byteOffset + 4, vector.length);
  let sum = 0;
  for (let at = 0; at < vector.length; at += 1) sum += (vector[at] ?? 0) * (values[at] ?? 0);
  return sum * scale;
}
