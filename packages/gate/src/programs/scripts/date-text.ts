/** GNU dates may begin with `TZ="…"`: the file of a time zone, which may be any file. */
export function namesTimeZone(date: string): boolean {
  return /tz\s*=/i.test(date);
}

export const timeZoneReason = "its date names a time zone, which may be any file";
