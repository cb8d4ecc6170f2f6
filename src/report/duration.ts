/** Seconds in the words of an estimate: "about 10 s", "about 4 min", "about 1 h 20 min". */
export function formatDuration(seconds: number): string {
  if (seconds < 1) return "no waiting";
  if (seconds < 90) return `about ${Math.round(seconds)} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 90) return `about ${minutes} min`;
  const rest = minutes % 60;
  return `about ${Math.floor(minutes / 60)} h${rest === 0 ? "" : ` ${rest} min`}`;
}
