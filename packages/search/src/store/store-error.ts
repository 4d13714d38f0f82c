/** A store cannot do what it was asked to. The message is for people: what happened, where, and what to do. */
export class StoreError extends Error {}
