import * as z from "zod";

/** Identifies a folder, to find it again after it was moved. */
export const FolderLocation = z.object({
  /** Device, inode and birth time on its file system. */
  id: z.string(),
  /** The commit that its repository was at. */
  commit: z.string().optional(),
  /** Its path below the top of the repository; empty if it is the top. */
  below: z.string().optional(),
});
export type FolderLocation = z.infer<typeof FolderLocation>;
