/**
 * What `prompt_eval_count` of Ollama means has changed twice. Before 0.2.0 it left out what came from the cache, and was
 * missing when all did (github.com/ollama/ollama issue 3427, pull request 5371). In the first versions of 0.30 it did so
 * again (pull request 16428); from 0.33 on `prompt_eval_cached_count` stands beside it, as a part of it (17943). A count
 * of a part looks just like a prompt that the server cut, so that it must not be taken for one.
 */
const PARTIAL = /^v?0\.(0|1|30)\./;

/** Addresses of servers whose version counts so. */
const partial = new Set<string>();

export function noteVersion(baseUrl: string, version: string): void {
  if (PARTIAL.test(version)) partial.add(baseUrl);
  else partial.delete(baseUrl);
}

/** Does the server count only what it had not read before? */
export function countsPart(baseUrl: string | undefined): boolean {
  return baseUrl !== undefined && partial.has(baseUrl);
}
