import { createRequire } from "node:module";
import { crc32, deflateSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { imageForModel } from "../fitted-image.ts";
import { imageInfo } from "../image-info.ts";
import { DAMAGED, INCOMPLETE } from "./damage.ts";
import { pictureProblem } from "./picture-problem.ts";

const photon = createRequire(import.meta.url)(
  "@silvia-odwyer/photon-node",
) as typeof import("@silvia-odwyer/photon-node");
const drawn = new photon.PhotonImage(
  Uint8Array.from({ length: 24 * 16 * 4 }, (_, at) => (at * 37) % 256),
  24,
  16,
);
const base64 = (text: string) => Buffer.from(text, "base64");

/** A PNG from its rows and the bytes of its header after the sizes. */
function png([width, height]: [number, number], header: readonly number[], rows: Buffer, name = "IDAT"): Buffer {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set(header, 8);
  const signature = Buffer.from("89504e470d0a1a0a", "hex");
  return Buffer.concat([
    signature,
    chunk("IHDR", head),
    chunk("tEXt", Buffer.from("a\0b")),
    chunk(name, deflateSync(rows)),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

function chunk(name: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(name), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, sum]);
}

const gray = [8, 0, 0, 0, 0] as const;
/** 3 × 3 pixels, each row with its filter. */
const grayRows = Buffer.from([0, 1, 2, 3, 1, 4, 5, 6, 4, 7, 8, 9]);
/** Adam7 of 3 × 3: the passes 1, 4, 5, 6 and 7 have pixels. */
const laced = Buffer.from([0, 1, 0, 3, 0, 4, 0, 0, 7, 9, 0, 2, 0, 8, 0, 4, 5, 6]);
const sound = {
  PNG: Buffer.from(drawn.get_bytes()),
  "PNG in shades": png([3, 3], gray, grayRows),
  "PNG of one bit": png([9, 1], [1, 0, 0, 0, 0], Buffer.from([0, 0xaa, 0x80])),
  "PNG with more than its rows": png([3, 3], gray, Buffer.concat([grayRows, Buffer.alloc(90)])),
  JPEG: Buffer.from(drawn.get_bytes_jpeg(80)),
  "JPEG with words behind it": Buffer.concat([Buffer.from(drawn.get_bytes_jpeg(80)), Buffer.from("made by a camera")]),
  GIF: base64("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7"),
  "GIF without its last mark": base64("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA=").subarray(0, 41),
  "WebP, lossless": Buffer.from(drawn.get_bytes_webp()),
  "WebP, lossy": base64("UklGRiIAAABXRUJQVlA4IBYAAAAwAQCdASoBAAEADsD+JaQAA3AAAAAA"),
};

async function problemOf(bytes: Buffer): Promise<string | undefined> {
  const info = imageInfo(bytes);
  return info ? await pictureProblem(bytes, info) : "no image";
}

/** With the byte at this place turned over. */
function turned(bytes: Buffer, at: number): Buffer {
  const copy = Buffer.from(bytes);
  copy[at] = (copy[at] ?? 0) ^ 0xff;
  return copy;
}

describe("a picture", () => {
  it.each(Object.entries(sound))("that is sound is taken: %s", async (_what, bytes) => {
    expect(await problemOf(bytes)).toBeUndefined();
  });

  it.each(["PNG", "JPEG", "GIF", "WebP, lossless", "WebP, lossy"] as const)(
    "that is cut anywhere is incomplete: %s",
    async (name) => {
      const bytes = sound[name];
      // Without its last byte a GIF has no end mark, but all of its picture.
      const last = name === "GIF" ? bytes.length - 2 : bytes.length - 1;
      const lengths = Array.from({ length: last - 30 }, (_, at) => 30 + at);
      const problems = await Promise.all(lengths.map((length) => problemOf(bytes.subarray(0, length))));
      expect(problems.filter((problem) => problem === undefined)).toEqual([]);
    },
  );

  it.each<[string, Buffer, string]>([
    ["a PNG cut after 40 bytes", sound.PNG.subarray(0, 40), INCOMPLETE],
    ["a PNG with one wrong bit in its pixels", turned(sound.PNG, sound.PNG.indexOf("IDAT") + 20), DAMAGED],
    ["a PNG whose second half is zeros", Buffer.from(sound.PNG).fill(0, sound.PNG.length / 2), DAMAGED],
    ["a PNG with half of its rows", png([3, 3], gray, grayRows.subarray(0, 5)), INCOMPLETE],
    ["a PNG with a filter that does not exist", png([3, 1], gray, Buffer.from([9, 1, 2, 3])), DAMAGED],
    ["a PNG with a type of colour that does not exist", png([3, 3], [8, 5, 0, 0, 0], grayRows), DAMAGED],
    ["a PNG without pixels", png([3, 3], gray, grayRows, "tIME"), INCOMPLETE],
    ["a PNG of no width", png([0, 3], gray, grayRows), DAMAGED],
    ["a PNG whose rows are not zlib data", damagedRows(), DAMAGED],
    ["an interlaced PNG without its last pass", png([3, 3], [8, 0, 0, 0, 1], laced.subarray(0, 14)), INCOMPLETE],
    ["a JPEG that has only its first bytes", Buffer.concat([sound.JPEG.subarray(0, 4), Buffer.alloc(40)]), DAMAGED],
    ["a JPEG without a scan", withoutScan(), DAMAGED],
    ["a GIF without a picture", base64("R0lGODlhAQABAIAAAAAAAP///zs="), DAMAGED],
    ["a GIF of no height", turned(turned(sound.GIF, 8), 8).fill(0, 8, 10), DAMAGED],
    ["a WebP whose picture is missing", base64("UklGRhIAAABXRUJQRVhJRgYAAABJSSoAAAAAAAAA"), DAMAGED],
    ["a WebP that is not a key frame", turned(sound["WebP, lossy"], 23), DAMAGED],
  ])("is refused: %s", async (_what, bytes, problem) => {
    expect(await problemOf(bytes)).toBe(problem);
  });

  it("that is interlaced is read by its passes", async () => {
    expect(await problemOf(png([3, 3], [8, 0, 0, 0, 1], laced))).toBeUndefined();
  });

  it.each<[string, Buffer]>([
    ["a page", Buffer.from("<html>502 Bad Gateway</html>")],
    ["nothing", Buffer.alloc(0)],
    ["zeros", Buffer.alloc(500)],
    ["a drawing in words", Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')],
    ["a TIFF", Buffer.from("49492a000800000000000000000000000000", "hex")],
  ])("is none: %s", async (_what, bytes) => {
    expect(await imageForModel(bytes, { signal: new AbortController().signal })).toEqual({
      problem: "it is not a PNG, JPEG, GIF, WebP or BMP image",
    });
  });
});

function damagedRows(): Buffer {
  const whole = png([3, 3], gray, grayRows);
  const start = whole.indexOf("IDAT") - 4;
  return Buffer.concat([whole.subarray(0, start), chunk("IDAT", Buffer.from("no zlib data")), whole.subarray(-12)]);
}

function withoutScan(): Buffer {
  const start = sound.JPEG.indexOf(Buffer.from("ffda", "hex"));
  return Buffer.concat([sound.JPEG.subarray(0, start), Buffer.from("ffd9", "hex")]);
}
