import { expect, it } from "vitest";
import { imageTypeOf, isSendableImage } from "./image-type.ts";

it.each([
  ["a.png", "image/png"],
  ["src/b.JPG", "image/jpeg"],
  ["x.y/c.jpeg", "image/jpeg"],
  ["e.bmp", "image/bmp"],
  ["d.svg", undefined],
  ["png", undefined],
  [".png", undefined],
  ["x.png/readme", undefined],
  ["a.constructor", undefined],
])("the name %s is that of a picture of the type %s", (path, type) => {
  expect(imageTypeOf(path)).toBe(type);
});

it("what vendors do not all take cannot be sent as it is", () => {
  expect(["image/webp", "image/bmp", ""].map(isSendableImage)).toEqual([true, false, false]);
});
