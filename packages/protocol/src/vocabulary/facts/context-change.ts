import * as z from "zod";

/**
 * How a text is shortened in later requests: `head` and `tail` are the characters that are kept, with `note` between
 * them. It is the text of a result (`toolCallId`), or number `part`, from 0, of the texts of the message or reply whose
 * fact has this `seq`, as it is sent. Thoughts of a reply are numbered with its texts, and left out.
 */
export const Shortening = z.object({
  toolCallId: z.string().optional(),
  seq: z.number().optional(),
  part: z.number().optional(),
  head: z.number(),
  tail: z.number(),
  note: z.string(),
  /** The images of the result are left out as well; those of a message are replaced by the note, and its texts stay. */
  withoutPictures: z.literal(true).optional(),
});
export type Shortening = z.infer<typeof Shortening>;

export const contextChange = {
  /**
   * `threshold`: the window gets full. `overflow`: a provider refused a request. `too_long`: before they were ever
   * sent. `refused`: a provider did not accept images.
   */
  reason: z.enum(["threshold", "overflow", "too_long", "refused"]),
  /** A sentence that every front shows. */
  title: z.string(),
  shortened: z.array(Shortening),
  tokensBefore: z.number(),
  tokensAfter: z.number(),
};
