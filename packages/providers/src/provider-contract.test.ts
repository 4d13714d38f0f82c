import { type Flavour, providerContract, sample } from "@harness/testkit";
import { realClock } from "../test/clocks.ts";
import { createProvider } from "../test/create-provider.ts";
import { vendors } from "./vendors/vendors.ts";

/** `npm test` takes some of those that speak the same API. */
const tried = [...Map.groupBy(vendors, ({ api }) => api).values()].flatMap((alike) => sample(alike, 2));

// A scripted server speaks as each vendor of the table does.
for (const vendor of tried) {
  providerContract({
    flavour: vendor.id as Flavour,
    name: vendor.name,
    connect: ({ url, baseUrl, key }) =>
      createProvider(vendor, {
        baseUrl: vendor.api === "ollama" ? url : baseUrl,
        key,
        clock: realClock,
        random: () => 0,
      }),
  });
}

// OpenAI's own address speaks responses; at any other address the row above speaks chat completions.
const openai = vendors.find(({ id }) => id === "openai");
if (!openai) throw new Error("there is no row for OpenAI");
providerContract({
  flavour: "openai",
  wire: "openai-responses",
  model: "gpt-5.6",
  name: openai.name,
  connect: ({ baseUrl, key }) =>
    createProvider(
      { ...openai, apiElsewhere: "openai-responses" },
      { baseUrl, key, clock: realClock, random: () => 0 },
    ),
});
