import type { ModelRequest } from "@harness/core";
import type { Endpoint } from "../endpoint/endpoint.ts";

/** The body with what the vendor's row adds to it and takes from it. What the request itself asks for wins. */
export function withQuirkFields(
  body: Record<string, unknown>,
  request: ModelRequest,
  { vendor }: Endpoint,
): Record<string, unknown> {
  const { body: always, thinkingBody, without = [] } = vendor.quirks;
  const whole = { ...always, ...(request.effort !== "none" && thinkingBody), ...body };
  if (without.length === 0) return whole;
  return Object.fromEntries(Object.entries(whole).filter(([field]) => !without.includes(field)));
}
