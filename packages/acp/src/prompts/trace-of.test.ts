import { expect, it } from "vitest";
import { traceOf } from "./trace-of.ts";

const traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

it.each([
  [{ traceparent, other: 1 }, { traceparent }],
  [{}, {}],
  [undefined, {}],
  [null, {}],
  [{ traceparent: 7 }, {}],
  [{ traceparent: "x".repeat(513) }, {}],
])("the trace of %j is %j", (meta, expected) => expect(traceOf(meta)).toEqual(expected));
