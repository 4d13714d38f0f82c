import * as z from "zod";

// The requests of Qdrant's published OpenAPI, as far as the fake answers them. Unknown fields are refused.

const pointId = z.union([z.number().int().nonnegative(), z.uuid()]);
const scalar = z.union([z.string(), z.number().int(), z.boolean()]);
const sparse = z
  .strictObject({ indices: z.array(z.number().int().min(0).max(0xffffffff)), values: z.array(z.number()) })
  .refine(({ indices }) => new Set(indices).size === indices.length, "indices must be unique")
  .refine(({ indices, values }) => indices.length === values.length, "must be the same length as indices");
const dense = z.array(z.number()).min(1);

const condition = z.union([
  z.strictObject({
    key: z.string().min(1),
    match: z.union([z.strictObject({ value: scalar }), z.strictObject({ any: z.array(scalar) })]),
  }),
  z.strictObject({ has_id: z.array(pointId) }),
]);
const filter = z.strictObject({ must: z.array(condition).optional(), must_not: z.array(condition).optional() });
export type FilterInput = z.infer<typeof filter>;

const withPayload = z.union([z.boolean(), z.array(z.string())]);
const limit = z.number().int().min(1);
const vectors = z.record(z.string(), z.union([dense, sparse]));
const point = z.strictObject({ id: pointId, vector: vectors, payload: z.record(z.string(), z.unknown()).nullish() });
export type PointInput = z.infer<typeof point>;

const count = z.number().int().min(1);
const vectorParams = z.strictObject({
  size: z.number().int().min(1).max(65_536),
  distance: z.enum(["Cosine", "Euclid", "Dot", "Manhattan"]),
  on_disk: z.boolean().optional(),
});
const sparseParams = z.strictObject({
  modifier: z.enum(["none", "idf"]).optional(),
  index: z.strictObject({ on_disk: z.boolean().optional() }).optional(),
});
const quantization = z.union([
  z.strictObject({
    scalar: z.strictObject({
      type: z.literal("int8"),
      quantile: z.number().min(0.5).max(1).optional(),
      always_ram: z.boolean().optional(),
    }),
  }),
  z.strictObject({ binary: z.strictObject({ always_ram: z.boolean().optional() }) }),
]);

export const createCollection = z.strictObject({
  vectors: z.record(z.string().min(1), vectorParams).optional(),
  sparse_vectors: z.record(z.string().min(1), sparseParams).optional(),
  shard_number: count.optional(),
  replication_factor: count.optional(),
  write_consistency_factor: count.optional(),
  on_disk_payload: z.boolean().optional(),
  quantization_config: quantization.optional(),
});
export type CollectionInput = z.infer<typeof createCollection>;

export const createIndex = z.strictObject({
  field_name: z.string().min(1),
  field_schema: z.union([
    z.enum(["keyword", "integer", "float", "geo", "text", "bool", "datetime", "uuid"]),
    z.strictObject({ type: z.literal("keyword"), on_disk: z.boolean().optional() }),
  ]),
});

const chosen = (one: { points?: unknown; filter?: unknown }) =>
  (one.points === undefined) !== (one.filter === undefined);
const setPayload = z
  .strictObject({
    payload: z.record(z.string(), z.unknown()),
    points: z.array(pointId).optional(),
    filter: filter.optional(),
  })
  .refine(chosen, "either points or filter");

export const requests = {
  upsert: z.strictObject({ points: z.array(point).min(1) }),
  delete: z.union([z.strictObject({ points: z.array(pointId) }), z.strictObject({ filter })]),
  batch: z.strictObject({ operations: z.array(z.strictObject({ set_payload: setPayload })).min(1) }),
  deletePayload: z
    .strictObject({ keys: z.array(z.string()).min(1), points: z.array(pointId).optional(), filter: filter.optional() })
    .refine(chosen, "either points or filter"),
  retrieve: z.strictObject({ ids: z.array(pointId), with_payload: withPayload.optional() }),
  scroll: z.strictObject({
    filter: filter.optional(),
    limit: limit.optional(),
    offset: pointId.optional(),
    with_payload: withPayload.optional(),
  }),
  count: z.strictObject({ filter: filter.optional(), exact: z.boolean().optional() }),
  queryBatch: z.strictObject({
    searches: z.array(
      z.strictObject({
        query: z.union([dense, sparse]),
        using: z.string().optional(),
        filter: filter.optional(),
        limit: limit.optional(),
        with_payload: withPayload.optional(),
        params: z
          .strictObject({
            quantization: z
              .strictObject({ rescore: z.boolean().optional(), oversampling: z.number().min(1).optional() })
              .optional(),
          })
          .optional(),
      }),
    ),
  }),
} as const;

export const aliasChanges = z.strictObject({
  actions: z.array(
    z.union([
      z.strictObject({ create_alias: z.strictObject({ alias_name: z.string().min(1), collection_name: z.string() }) }),
      z.strictObject({ delete_alias: z.strictObject({ alias_name: z.string().min(1) }) }),
    ]),
  ),
});

export type SearchInput = z.infer<typeof requests.queryBatch>["searches"][number];
