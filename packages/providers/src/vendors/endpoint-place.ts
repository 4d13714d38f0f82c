import type { Endpoint } from "../wires/endpoint/endpoint.ts";

/** Where models are, in words: a vendor by its name, a server on this machine by its address. */
export function placeWords(endpoint: Endpoint): string {
  const { vendor, isThisMachine } = endpoint;
  if (!isThisMachine) return `from ${vendor.name}`;
  return placeOfItsOwn(endpoint) ?? `at ${hostOf(endpoint)} (${vendor.name})`;
}

/** Of a server on this machine that only speaks the API of a vendor; undefined: the vendor's name fits. */
export function placeOfItsOwn(endpoint: Endpoint): string | undefined {
  const { vendor, isThisMachine } = endpoint;
  return isThisMachine && !vendor.local && vendor.file === undefined ? `at ${hostOf(endpoint)}` : undefined;
}

function hostOf({ baseUrl }: Endpoint): string {
  return new URL(baseUrl).host;
}
