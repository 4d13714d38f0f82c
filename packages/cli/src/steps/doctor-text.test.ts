import type { CapabilityRecord } from "@harness/protocol";
import { expect, it } from "vitest";
import { capabilitiesText } from "./doctor-text.ts";

const capabilities: CapabilityRecord = {
  provider: "openai",
  model: "small",
  address: "http://127.0.0.1:8080/v1",
  testedAt: "2026-11-21T14:30:22.000Z",
  harnessVersion: "1.2.3",
  toolMode: "native",
  parallelCalls: false,
  streamsArguments: false,
  thinking: "none",
  probes: [],
};

it("says how a model calls tools, or that no way works", () => {
  expect(capabilitiesText(capabilities)).toMatch(/tools +through the server's API/);
  expect(capabilitiesText({ ...capabilities, callsTools: false })).toMatch(/tools +no way of calling them works/);
});
