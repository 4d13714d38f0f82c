import type { Endpoint } from "../endpoint/endpoint.ts";

/** The address of a request, including the query of the endpoint's address (`?api-version=…`). */
export function sentUrl(address: string | URL, { query = "" }: Pick<Endpoint, "query">): URL {
  const url = new URL(address);
  if (query === "" || url.search === query) return url;
  url.search = url.search === "" ? query : `${url.search}&${query.slice(1)}`;
  return url;
}
