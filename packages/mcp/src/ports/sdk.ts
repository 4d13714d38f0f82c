type Client = typeof import("@modelcontextprotocol/client");
type Validators = typeof import("@modelcontextprotocol/client/validators/cf-worker");
export type Sdk = Client & Pick<Validators, "CfWorkerJsonSchemaValidator">;

/** Costs 60 ms and 15 MB: loaded when the first server starts, never before. */
export async function loadSdk(): Promise<Sdk> {
  const [client, { CfWorkerJsonSchemaValidator }] = await Promise.all([
    import("@modelcontextprotocol/client"),
    import("@modelcontextprotocol/client/validators/cf-worker"),
  ]);
  return { ...client, CfWorkerJsonSchemaValidator };
}
