// One sanitiser for all text that comes from files or from the service: it is data, and must not act on who reads it.

// C0, DEL and C1 move the cursor or worse; bidi marks reorder what is read; zero-width characters hide; U+2028 and U+2029 end lines.
const unsafe =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/** The text on one line, with every character that could do harm shown as `\u{…}`. */
export function sanitise(text: string): string {
  return text.replace(unsafe, (character) => `\\u{${character.charCodeAt(0).toString(16)}}`);
}
