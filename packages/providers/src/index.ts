export { modelAdvice } from "./advice.ts";
export { createProvider, type ProviderOptions } from "./create-provider.ts";
export { inspectEnv, type LoadedEnv, loadEnv } from "./dotenv.ts";
export type { Env } from "./endpoint.ts";
export { type ListAsk, listModels, listProviders } from "./listing.ts";
export { type ModelAsk, type ResolvedModel, resolveModel, type UnresolvedModel } from "./resolve.ts";
export { envExample, type Vendor, vendors } from "./vendors.ts";
