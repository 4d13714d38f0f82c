/** Identifies a model of a provider. */
export function modelKey(provider: string, model: string): string {
  return JSON.stringify([provider, model]);
}
