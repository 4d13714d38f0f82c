// Replaces the resources of OpenAI's client (its folder `resources`), which are four fifths of it: the client creates
// one of each, but everything we send goes through `client.post`. A name that is missing here fails the build.
class LeftOut {
  constructor() {
    const refuse = (_target, name) => {
      throw new Error(`openai's ${String(name)} is not in the bundle of harness (build/openai-resources.mjs).`);
    };
    // biome-ignore lint/correctness/noConstructorReturn: any use of a resource throws this error.
    return new Proxy(this, { get: refuse, set: refuse });
  }
}

export {
  LeftOut as Admin,
  LeftOut as Audio,
  LeftOut as Batches,
  LeftOut as Beta,
  LeftOut as Chat,
  LeftOut as Completions,
  LeftOut as Containers,
  LeftOut as ContentProvenanceChecks,
  LeftOut as Conversations,
  LeftOut as Decisions,
  LeftOut as Embeddings,
  LeftOut as Evals,
  LeftOut as Files,
  LeftOut as FineTuning,
  LeftOut as Graders,
  LeftOut as Images,
  LeftOut as Live,
  LeftOut as Models,
  LeftOut as Moderations,
  LeftOut as Realtime,
  LeftOut as Responses,
  LeftOut as Safety,
  LeftOut as Skills,
  LeftOut as Uploads,
  LeftOut as VectorStores,
  LeftOut as Videos,
  LeftOut as Webhooks,
};
