import * as z from "zod";

/** Texts; in a line of text they stand between commas. */
export const textList = z.array(z.string().min(1).max(1000)).max(1000);
