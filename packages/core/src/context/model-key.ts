/** Names a model at a vendor. */
export function modelKey(provider: string, model: string): string {
  return JSON.stringify([provider, model]);
}
