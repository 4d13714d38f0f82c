/** Messages of servers while they load a model, or until they have one. */
const LOADING: RegExp = anyOf([
  /\bload(ing|s)?\b.{0,40}\bmodel|\bmodel\b.{0,60}\b(loading|being (re)?loaded)\b/, // llama.cpp, Hugging Face
  /\bmodel.{0,60}\b(unloaded|not (yet )?(loaded|ready)|warming up|(is )?starting)\b/, // LM Studio, vLLM behind a proxy
  /\bno models? (is |are )?(currently )?loaded|unavailable_error/, // LM Studio, llama.cpp
  /\b(still|currently|server is|service is|runner is|engine is) (loading|starting|initiali[sz]ing|warming)/,
  /\b(swap|swapp(ing|ed)|start(ing)?)\b.{0,30}\b(model|process|upstream|backend|runner)|\b(upstream|backend|process|runner)\b.{0,40}\b(not (yet )?ready|starting|loading)/, // llama-swap
]);

/** It tried and will not do better: missing or broken files, too little memory. */
const FAILED =
  /\b(fail(ed|ure)?|error|unable|could ?n[o']t|can ?n[o']t|cannot|exceptions?)\W.{0,40}\bload|load(ing)? .{0,60}(fail|error)|memory|no such file|corrupt|unsupported|not support/i;
/** It has its model, but other requests come first. */
const BUSY = /\bslots?\b|busy|pending|overload|capacity|queue|rate limit|too many/i;

/** Statuses of such answers. */
const STATUSES: ReadonlySet<number> = new Set([400, 404, 409, 425, 500, 502, 503, 504]);

export function isLoading(status: number, words: string): boolean {
  return STATUSES.has(status) && LOADING.test(words) && !FAILED.test(words) && !BUSY.test(words);
}

/** The answer of a proxy, or of a server that has just started. */
export function mayBeStarting(status: number): boolean {
  return status === 502 || status === 503 || status === 504;
}

function anyOf(patterns: readonly RegExp[]): RegExp {
  return new RegExp(patterns.map(({ source }) => source).join("|"), "is");
}
