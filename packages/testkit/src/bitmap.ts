/**
 * A BMP with 24 bits per pixel (https://learn.microsoft.com/windows/win32/gdi/bitmap-storage). `byte` returns each byte
 * of its pixels.
 */
export function bitmap(width: number, height: number, byte: (at: number) => number): Buffer {
  const row = Math.ceil((width * 3) / 4) * 4;
  const bytes = Buffer.alloc(54 + row * height);
  bytes.write("BM");
  bytes.writeUInt32LE(bytes.length, 2);
  bytes.writeUInt32LE(54, 10);
  bytes.writeUInt32LE(40, 14);
  bytes.writeInt32LE(width, 18);
  bytes.writeInt32LE(height, 22);
  bytes.writeUInt16LE(1, 26);
  bytes.writeUInt16LE(24, 28);
  for (let at = 54; at < bytes.length; at++) bytes[at] = byte(at);
  return bytes;
}
