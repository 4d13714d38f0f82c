import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import * as protocol from "@harness/protocol";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as zod from "zod";
import { commonOptions, root } from "./build-options.mjs";
import * as deferred from "./deferred-zod.mjs";

type Zod = typeof deferred;

/** The result of a schema for a value: its data, or its issues. */
function outcome(schema: zod.ZodType, value: unknown): unknown {
  const { data, error } = schema.safeParse(value);
  return error ? { issues: error.issues } : { data };
}

const tree = (z: Zod): zod.ZodType =>
  z.strictObject({
    name: z.string().min(1),
    get children() {
      return z.array(tree(z)).optional();
    },
  });

/** Schemas of each kind, made with either library; and values for them. */
const cases: [string, (z: Zod) => zod.ZodType, unknown[]][] = [
  [
    "fields with defaults",
    (z) => z.object({ a: z.string().default("x"), b: z.int().min(2).optional() }),
    [{}, { b: 1 }],
  ],
  ["a default that is an object", (z) => z.object({ a: z.number() }).default({ a: 3 }), [undefined, {}, { a: 1 }]],
  [
    "an extended object",
    (z) => z.object({ a: z.string() }).extend({ b: z.boolean() }),
    [{ a: "", b: true }, { a: "" }],
  ],
  [
    "fields taken from another",
    (z) => z.strictObject({ ...z.object({ a: z.string() }).extend({ b: z.null() }).shape, c: z.literal([1, 2]) }),
    [
      { a: "", b: null, c: 2 },
      { a: "", c: 3 },
    ],
  ],
  ["choices taken from another", (z) => z.enum([...z.enum(["a", "b"]).options, "c"]), ["c", "d"]],
  [
    "a union by a field",
    (z) =>
      z.discriminatedUnion("type", [
        z.looseObject({ type: z.literal("a"), n: z.coerce.number() }),
        z.object({ type: z.literal("b"), list: z.tuple([z.string(), z.number().nullable()]) }),
      ]),
    [{ type: "a", n: "1", more: 1 }, { type: "b", list: ["", null] }, { type: "c" }],
  ],
  [
    "a transformed and refined value",
    (z) =>
      z.preprocess(
        (value) => value ?? "none",
        z
          .union([z.string(), z.array(z.unknown())])
          .refine((value) => value.length > 1, "too short")
          .transform((value) => value.length),
      ),
    [undefined, "a", [1, 2], 3],
  ],
  ["names and values", (z) => z.record(z.string().min(2), z.boolean()), [{ ab: true }, { a: true }, { ab: 1 }]],
  [
    "a tree",
    tree,
    [
      { name: "a", children: [{ name: "b" }] },
      { name: "a", children: [{ name: "", more: 1 }] },
    ],
  ],
];

describe("a deferred schema", () => {
  it.each(cases)("takes and refuses what zod's does: %s", (_, make, values) => {
    const [ours, theirs] = [make(deferred), make(zod)];
    for (const value of values) expect(outcome(ours, value)).toEqual(outcome(theirs, value));
  });

  it("is not built by what is made of it, and once", () => {
    let built = 0;
    const base = deferred.object({
      get field() {
        built += 1;
        return deferred.string();
      },
    });
    const list = deferred.array(deferred.union([base.optional(), deferred.literal("none")])).describe("A list.");
    expect(built).toBe(0);
    expect(list.parse([{ field: "a" }, "none"])).toEqual([{ field: "a" }, "none"]);
    const afterFirst = built;
    expect(afterFirst).toBeGreaterThan(0);
    list.parse([{ field: "b" }]);
    expect(built).toBe(afterFirst);
  });

  it("is an instance of zod's classes, and of no other", () => {
    expect(deferred.enum(["a"]) instanceof zod.ZodEnum).toBe(true);
    expect(deferred.string().nullable() instanceof zod.ZodNullable).toBe(true);
    expect(deferred.string() instanceof zod.ZodNumber).toBe(false);
  });
});

describe("the protocol in the bundle", () => {
  type Bundled = { z: Zod; protocol: typeof protocol };
  const folder = mkdtempSync(join(tmpdir(), "harness-deferred-"));
  let bundled: Bundled;
  beforeAll(async () => {
    const contents = 'import * as z from "zod"; import * as protocol from "./index.ts"; export { z, protocol };';
    const stdin = { contents, resolveDir: join(root, "packages/protocol/src"), loader: "ts" as const };
    const { outputFiles } = await build({ ...commonOptions, write: false, inject: [], stdin, format: "esm" });
    const path = join(folder, "protocol.mjs");
    writeFileSync(path, outputFiles?.[0]?.contents ?? "");
    bundled = (await import(pathToFileURL(path).href)) as Bundled;
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const described = (z: Zod, schema: zod.ZodType) => z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });

  it.each<[string, (of: typeof protocol) => protocol.Table]>([
    ["serverMethods", (of) => of.serverMethods],
    ["serverNotifications", (of) => of.serverNotifications],
    ["clientMethods", (of) => of.clientMethods],
    ["clientNotifications", (of) => of.clientNotifications],
  ])("has the schemas of the sources: %s", (_, tableOf) => {
    const [rows, ours] = [tableOf(protocol), tableOf(bundled.protocol)];
    expect(Object.keys(ours)).toEqual(Object.keys(rows));
    for (const [method, row] of Object.entries(rows)) {
      const own = ours[method];
      if (!own) throw new Error(`${method} is missing`);
      expect(described(bundled.z, own.params), method).toEqual(described(zod, row.params));
      if (row.type === "request" && own.type === "request")
        expect(described(bundled.z, own.result), method).toEqual(described(zod, row.result));
    }
  });

  it("has the settings of the sources", () => {
    for (const [key, { schema }] of Object.entries(protocol.settings)) {
      const own = Object.entries(bundled.protocol.settings).find(([name]) => name === key)?.[1].schema;
      if (!own) throw new Error(`${key} is missing`);
      expect(described(bundled.z, own), key).toEqual(described(zod, schema));
    }
  });
});
