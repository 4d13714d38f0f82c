import { expect, it } from "vitest";
import { promptWishes } from "./prompt-wishes.ts";

const traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

it.each([
  [{ traceparent, other: 1 }, { traceparent }],
  [
    { steering: true, traceparent },
    { delivery: "steer", traceparent },
  ],
  [{ steering: "yes" }, {}],
  [{}, {}],
  [undefined, {}],
  [null, {}],
  [{ traceparent: 7 }, {}],
  [{ traceparent: "x".repeat(513) }, {}],
])("the wishes in %j are %j", (meta, expected) => expect(promptWishes(meta)).toEqual(expected));
