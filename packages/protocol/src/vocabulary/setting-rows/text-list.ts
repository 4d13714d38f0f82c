import * as z from "zod";

/** Texts; on one line they are separated by commas. */
export const textList = z.array(z.string().min(1).max(1000)).max(1000);
