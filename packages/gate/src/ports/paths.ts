/** Paths as the operating system sees them. */
export interface Paths {
  /** Resolves links of the deepest part that exists and keeps the rest; never throws. Absolute in, absolute out. */
  real(path: string): string;
  /** The person's home folder, absolute, as `~` stands for it. Absent: where `~` leads is not known. */
  readonly home?: string;
  /** Is something there? Never throws. Absent: a folder is never known to be a git folder by what is in it. */
  exists?(path: string): boolean;
}
