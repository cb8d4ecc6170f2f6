// Characters that nobody sees and that change how a line is read: in a file they are written as escapes, so that a review shows them.
// Joiners (U+200C, U+200D) belong to words and emoji and stay as they are.
const unseen = /[\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]/g;

export function hasUnseen(text: string): boolean {
  return text.search(unseen) !== -1;
}

/** For text in double quotes only: nowhere else does YAML know escapes. */
export function escapeUnseen(text: string): string {
  return text.replace(unseen, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
