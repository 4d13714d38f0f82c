/** Identifies a provider's model. */
export function modelKey(provider: string, model: string): string {
  return JSON.stringify([provider, model]);
}
