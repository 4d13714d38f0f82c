import type { Probe } from "./probe.ts";
import { failedProbe, passedProbe, quoted, skippedProbe } from "./verdict.ts";

/** 64 by 64 pixels of rgb(220 20 20), as PNG: some servers refuse smaller ones. */
const RED =
  "iVBORw0KGgoAAAANSUhEUgAAAEAAAABACAIAAAAlC+aJAAAAT0lEQVR42u3PQQkAAAgEsAtx/ZMZxgi+hcEKLNO+FgEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQGBywKqxUDxqh7TUQAAAABJRU5ErkJggg==";

export const images: Probe = {
  id: "images",
  title: "Sees images",
  run(runner) {
    if (!runner.abilities.images) return skippedProbe("Its server does not list image input.");
    const content = [
      { type: "image" as const, mimeType: "image/png", data: RED },
      { type: "text" as const, text: "Which colour has this picture? Answer with one word." },
    ];
    return runner.judge({ ask: [{ role: "user", content }], tokens: 48 }, ({ text }) =>
      /\b(red|crimson|scarlet)\b/i.test(text)
        ? passedProbe("It named the colour of an image.")
        : failedProbe(`The image was red; it said ${quoted(text)}.`),
    );
  },
};
