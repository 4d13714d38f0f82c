/** Both continue "the image cannot be shown: ". */
export const INCOMPLETE = "it is incomplete: its data ends before the picture does";
export const DAMAGED = "it is damaged, so that no program can decode it";
