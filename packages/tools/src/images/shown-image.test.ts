import { bitmap } from "@harness/testkit";
import { describe, expect, it } from "vitest";
import { imageInfo } from "./image-info.ts";
import { shownImage } from "./shown-image.ts";

async function shown(bytes: Buffer, signal = new AbortController().signal) {
  const info = imageInfo(bytes);
  if (!info) throw new Error("no image");
  const result = await shownImage({ bytes, info, path: "/x/a", shown: "a" }, signal);
  if ("problem" in result) return result;
  const [sent] = result.images ?? [];
  if (sent?.type !== "image") throw new Error("no image was sent");
  const data = Buffer.from(sent.data, "base64");
  return { text: result.text, bytes: data, info: imageInfo(data), mimeType: sent.mimeType };
}

const noise = (at: number) => (Math.imul(at, 2_654_435_761) >>> 13) & 0xff;

describe("an image for a model", () => {
  it("is sent as it is when it is small", async () => {
    const png = Buffer.from(
      "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
      "base64",
    );
    const sent = await shown(png);
    expect(sent).toMatchObject({ text: "a: PNG image, 1 × 1 pixels, 70 bytes, image/png", mimeType: "image/png" });
    expect("bytes" in sent && sent.bytes.equals(png)).toBe(true);
  });

  it("is made smaller when a side is too long", async () => {
    const sent = await shown(bitmap(3000, 30, () => 200));
    expect(sent).toMatchObject({ mimeType: "image/png", info: { format: "PNG", widthPx: 2000, heightPx: 20 } });
    expect("text" in sent && sent.text).toMatch(
      /^a: BMP image, 3000 × 30 pixels, 270 kB, image\/bmp; shown smaller: 2000 × 20 pixels, .*, image\/png$/,
    );
  });

  it("is a JPEG when it would be too large as PNG", async () => {
    const sent = await shown(bitmap(1200, 1000, noise));
    expect(sent).toMatchObject({ mimeType: "image/jpeg", info: { format: "JPEG", widthPx: 1200, heightPx: 1000 } });
    expect("bytes" in sent && sent.bytes.length).toBeLessThanOrEqual(2_000_000);
  });

  it("is PNG where it has a form that not every vendor takes", async () => {
    expect(await shown(bitmap(4, 4, () => 9))).toMatchObject({ mimeType: "image/png", info: { widthPx: 4 } });
  });

  it.each([
    ["damaged", bitmap(3000, 30, () => 0).subarray(0, 60), /could not be scaled down; it may be damaged/],
    [
      "a bomb",
      bitmap(1, 1, () => 0)
        .fill(0x7f, 18, 20)
        .fill(0x7f, 22, 24),
      /32639 × 32639 pixels are too many/,
    ],
  ])("is refused with words when it is %s", async (_what, bytes, problem) => {
    expect(await shown(bytes)).toEqual({ problem: expect.stringMatching(problem) });
  });

  it("is not scaled once the call is cancelled", async () => {
    expect(
      await shown(
        bitmap(3000, 30, () => 0),
        AbortSignal.abort(),
      ),
    ).toHaveProperty("problem");
  });
});
