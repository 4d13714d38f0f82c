/** A tool is called as its file, without an ending: `weather` and `weather.py` are one tool. */
export function toolName(fileName: string): string {
  return fileName.replace(/(?<=.)\.[A-Za-z0-9]+$/, "");
}
