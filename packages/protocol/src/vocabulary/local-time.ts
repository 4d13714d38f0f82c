/** A time for people, by the clock and time zone of this machine. */
export type LocalTime = {
  /** `2026-11-24` */
  date: string;
  /** `09:05` */
  minutes: string;
  /** `09:05:03` */
  seconds: string;
};

/** `at`: ISO 8601, or ms since 1970. An invalid time becomes empty: files of facts can be edited by hand. */
export function localTime(at: string | number): LocalTime {
  const moment = new Date(at);
  if (Number.isNaN(moment.getTime())) return { date: "", minutes: "", seconds: "" };
  const two = (number: number): string => String(number).padStart(2, "0");
  const minutes = `${two(moment.getHours())}:${two(moment.getMinutes())}`;
  return {
    date: `${moment.getFullYear()}-${two(moment.getMonth() + 1)}-${two(moment.getDate())}`,
    minutes,
    seconds: `${minutes}:${two(moment.getSeconds())}`,
  };
}
