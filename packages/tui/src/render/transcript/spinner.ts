/** One glyph a tick; about ten ticks a second look alive. */
export const spinnerFrames = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"] as const;

export function spinnerGlyph(tick: number): string {
  return spinnerFrames[Math.abs(tick) % spinnerFrames.length] ?? spinnerFrames[0];
}
