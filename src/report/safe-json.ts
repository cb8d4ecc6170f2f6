const unsafe = /[\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]/g;

/** JSON that means the same and does nothing to a terminal: what JSON leaves raw and a terminal obeys is written as `\uXXXX`. */
export function safeJson(value: unknown): string {
  return withEscapes(JSON.stringify(value, null, 2));
}

/** The same on one line, where each line is a value of its own. */
export function safeJsonLine(value: unknown): string {
  return withEscapes(JSON.stringify(value));
}

function withEscapes(json: string): string {
  return json.replace(unsafe, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
