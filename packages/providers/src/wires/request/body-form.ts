/** Another form of a request's body, for a server that refuses the usual one. */
export type BodyForm = {
  /** How servers complain that want this form. */
  readonly wanted: RegExp;
  /** Writes the body in this form. Where it is in this form already, the same body is returned. */
  write(body: Record<string, unknown>): Record<string, unknown>;
};

export type BodyForms = Readonly<Record<string, BodyForm>>;
