// What tests use of web-classes.mjs.
export const Response: typeof globalThis.Response;
