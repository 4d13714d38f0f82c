export type { ProgramModel } from "./choice/choose-program-model.ts";
export type {
  ModelQuestion,
  RequestSettings,
  ResolvedModel,
  Sources,
  UnresolvedModel,
} from "./choice/model-question.ts";
export { ModelResolver } from "./choice/model-resolver.ts";
export type { EmbeddingPrograms } from "./choice/resolve-embedder.ts";
export type { SentBefore, WrittenRequest } from "./choice/write-request.ts";
export { inspectEnv, type LoadedEnv } from "./env/dotenv.ts";
export { KNOWN_MODELS_DATE, knownModels } from "./models/known-models.ts";
export type { VendorLocations } from "./vendor-files/vendor-files.ts";
export { addressed, type Logins, type StoredAccess, vendorHost } from "./vendors/locate.ts";
export { keyNames, needsGrant, secretsAsked } from "./vendors/secret-access.ts";
export { envExample, vendors } from "./vendors/vendors.ts";
export type { RequestLimits } from "./wires/endpoint/endpoint.ts";
export type { Env } from "./wires/endpoint/environment.ts";
export type { Vendor } from "./wires/endpoint/vendor.ts";
export { sentEffort } from "./wires/request/effort.ts";
