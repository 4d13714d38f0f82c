import { locate } from "../src/vendors/locate.ts";
import { explain } from "../src/wires/failures/failure.ts";
import { HttpError } from "../src/wires/http/exchange.ts";
import { vendorOf } from "./vendor-of.ts";

/** The classification of an answer of this vendor's server. */
export function explained(vendorId: string, status: number, message: string): ReturnType<typeof explain> {
  const vendor = vendorOf(vendorId);
  const located = vendor && locate(vendor, {});
  if (!located?.ok) throw new Error(`There is no address of ${vendorId}.`);
  const cause = new HttpError(status, {}, JSON.stringify({ error: { message } }), 100);
  return explain(cause, { endpoint: located.endpoint, model: "m", now: 0 });
}
