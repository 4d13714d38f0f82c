import type { ModelRequest } from "@harness/core";
import type { Endpoint } from "../endpoint/endpoint.ts";

/** The body with the fields that the vendor's row adds and removes. The request's own fields win. */
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
