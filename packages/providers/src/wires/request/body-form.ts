/** A variant of a request's body, for a server that refuses the usual one. */
export type BodyForm = {
  /** How servers that require this variant complain. */
  readonly wanted: RegExp;
  /** Rewrites the body. Returns the same object if it already has this form. */
  write(body: Record<string, unknown>): Record<string, unknown>;
};

export type BodyForms = Readonly<Record<string, BodyForm>>;
