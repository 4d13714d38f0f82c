// Has the part of zod that our packages use (bin/used-zod.mjs).
export * from "zod";
