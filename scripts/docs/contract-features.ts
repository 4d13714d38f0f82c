/**
 * Features of a vendor that the provider contract proves, by the titles of its tests: one column each in
 * docs/providers.md.
 */
export const features: readonly { id: string; title: string; tests: RegExp }[] = [
  { id: "stream", title: "text, thinking, parallel calls", tests: /^(streams thinking|keeps parallel calls)/ },
  {
    id: "signatures",
    title: "thoughts go back signed, foreign ones do not",
    tests: /^(sends back what|sends nothing)/,
  },
  { id: "images", title: "images", tests: /^shows images/ },
  { id: "vendorChange", title: "takes over another vendor's session", tests: /^takes ids and thoughts/ },
  {
    id: "bytes",
    title: "pieces of 1–7 bytes, odd streams",
    tests: /^(reads the same|is not confused|reads calls in spite)/,
  },
  { id: "usage", title: "counts, or none", tests: /^leaves out counts/ },
  { id: "stops", title: "length, refusal", tests: /^says that/ },
  { id: "cut", title: "cut calls never run", tests: /^never / },
  { id: "retries", title: "broken streams and 5xx asked again", tests: /^asks again/ },
  { id: "refusals", title: "4xx not repeated, overflow recognised", tests: /^(does not repeat|recognises)/ },
  { id: "cancel", title: "cancel closes the connection", tests: /cancelled|closes the connection/ },
];
