import { expect, it } from "vitest";
import { qdrantAddress } from "./qdrant-address.ts";

it.each([
  ["http://localhost", "http://localhost:6333", {}],
  ["http://localhost:80/", "http://localhost:6333", {}],
  ["http://10.0.0.5:7000/", "http://10.0.0.5:7000", {}],
  ["https://example.com/qdrant/", "https://example.com/qdrant", {}],
  [
    "https://example.com:6333/?shards=6&replicas=3&write_consistency=2&quantization=binary",
    "https://example.com:6333",
    { shards: 6, replicas: 3, writeConsistency: 2, quantization: "binary" },
  ],
])("reads %s", (text, base, layout) => {
  expect(qdrantAddress(text)).toEqual({ base, layout: { quantization: "scalar", ...layout } });
});

it.each([
  ["localhost:6333", "is not valid"],
  ["ftp://localhost", "is not valid"],
  ["http://user:secret@localhost", "cannot contain a key"],
  ["http://localhost?shards=0", "`shards` must be a number from 1 to 1000"],
  ["http://localhost?shards=many", "`shards` must be a number"],
  ["http://localhost?quantisation=scalar", "unknown parameter, `quantisation`"],
  ["http://localhost?quantization=none2", "must be one of scalar, binary, none"],
  ["http://localhost?write_consistency=2", "larger than `replicas`"],
])("refuses %s", (text, problem) => {
  expect(() => qdrantAddress(text)).toThrow(problem);
  expect(() => qdrantAddress(text)).not.toThrow("secret");
});
