import type { IncomingMessage } from "node:http";

/** The status that a browser gets at an address, after redirects to anywhere. */
export async function browse(url: string): Promise<number> {
  const { get } = process.getBuiltinModule("node:http");
  const response = await new Promise<IncomingMessage>((resolve, reject) => get(url, resolve).on("error", reject));
  response.resume();
  const { location } = response.headers;
  return location === undefined ? (response.statusCode ?? 0) : browse(new URL(location, url).href);
}
