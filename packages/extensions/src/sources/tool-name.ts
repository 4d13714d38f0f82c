/** A tool has the name of its file, without an extension: `weather` and `weather.py` are one tool. */
export function toolName(fileName: string): string {
  return fileName.replace(/(?<=.)\.[A-Za-z0-9]+$/, "");
}
