// The part of web-classes.mjs that tests use.
export const Response: typeof globalThis.Response;
