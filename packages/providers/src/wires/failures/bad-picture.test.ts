// Messages of servers that do not accept a picture, and messages that only sound like it.
import { describe, expect, it } from "vitest";
import { vendorOf } from "../../../test/vendor-of.ts";
import { endpointOf } from "../../vendors/locate.ts";
import { HttpError } from "../http/exchange.ts";
import { explain } from "./failure.ts";

function of(status: number, message: string, sent = 100) {
  const vendor = vendorOf("openai");
  const located = vendor && endpointOf(vendor, { OPENAI_API_KEY: "k" });
  if (!located?.ok) throw new Error("no endpoint");
  const body = message.startsWith("<") || message === "" ? message : JSON.stringify({ error: { message } });
  return explain(new HttpError(status, {}, body, sent), { endpoint: located.endpoint, model: "m", now: 0 });
}

describe("a refusal of a picture", () => {
  it.each<[number, string]>([
    [400, "Could not process image"],
    [400, "messages.0.content.0.image.source.base64: image exceeds 5 MB maximum: 6291456 bytes > 5242880 bytes"],
    [
      400,
      "messages.2.content.1.image.source.base64.data: At least one of the image dimensions exceed max allowed size",
    ],
    [400, "The image was specified using the image/png media type, but the image appears to be a image/jpeg image"],
    [400, "You uploaded an unsupported image. Please make sure your image has of one the following formats: ['png']"],
    [400, "Invalid image data."],
    [400, "The image data you provided does not represent a valid image. Please check your input."],
    [400, "Invalid base64 image_url."],
    [400, "Unable to process input image. Please retry or report in https://developers.generativeai.google"],
    [400, "Provided image is not valid."],
    [400, "Image, 'data:image/png;base64,iVBO', could not be loaded as a valid image."],
    [400, "cannot identify image file <_io.BytesIO object at 0x7f>"],
    [400, "<400> InternalError.Algo.InvalidParameter: The image format is illegal and cannot be opened"],
    [
      400,
      "The image length and width do not meet the model restrictions. [height:1 or width:1 must be larger than 10]",
    ],
    [400, "image file is truncated (2 bytes not processed)"],
    [413, "The image is too large."],
    [415, "Unsupported media type for the picture"],
    [422, "Failed to load image: broken PNG file"],
    [500, "Failed to load image or audio file"],
    [500, "failed to process inputs: image: unknown format"],
    [400, "图片格式错误"],
  ])("%i, %s", (status, message) => {
    const explained = of(status, message);
    expect(explained).toMatchObject({ retryable: false, refusedFor: "picture", failure: { kind: "badRequest" } });
    expect(explained.failure.message).toContain("did not accept an image");
  });

  it("may be meant where the reason is not known", () => {
    expect(of(400, "Invalid value")).toMatchObject({ refusedFor: "unclear" });
    expect(of(422, "field required")).toMatchObject({ refusedFor: "unclear" });
    expect(of(400, "", 90_000)).toMatchObject({ refusedFor: "unclear", failure: { kind: "overflow" } });
    expect(of(413, "<html>413 Request Entity Too Large</html>")).toMatchObject({
      refusedFor: "unclear",
      failure: { kind: "overflow" },
    });
  });

  it.each<[number, string]>([
    [401, "invalid image of a key"],
    [429, "Rate limit reached for images"],
    [500, "The image service had an internal error"],
    [503, "image worker failed"],
    [404, "404 page not found"],
    [400, "This model does not support image input"],
    [400, "prompt is too long: 210000 tokens (with images) > 200000 maximum"],
    [400, "tools.3.custom.input_schema: JSON schema is invalid (image)"],
    [400, "Incorrect API key provided"],
  ])("is none: %i, %s", (status, message) => {
    expect(of(status, message)).not.toHaveProperty("refusedFor");
  });
});
