import { type Flavour, providerContract } from "@harness/testkit";
import { createProvider } from "./create-provider.ts";
import { realClock } from "./testing/clocks.ts";
import { vendors } from "./vendors.ts";

// A scripted server speaks as each vendor of the table does.
for (const vendor of vendors) {
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
