/**
 * A stretch of text and what it is to the reader, so that each format can set it off in its own way.
 *
 * | role   | means                                                          |
 * |--------|----------------------------------------------------------------|
 * | word   | our own words                                                  |
 * | quiet  | our own words, of less weight                                  |
 * | prose  | a sentence of a rule or of the service, with data within it    |
 * | name   | what an object is called                                       |
 * | value  | data that stays, or of which there is only one side            |
 * | before | data as it is on the service                                   |
 * | after  | data as the files want it                                      |
 */
export interface Span {
  readonly role: "word" | "quiet" | "prose" | "name" | "value" | "before" | "after";
  readonly text: string;
}

export function word(text: string): Span {
  return { role: "word", text };
}

/** Between the two sides of an edit. */
export const becomes: Span = word(" → ");

export function quiet(text: string): Span {
  return { role: "quiet", text };
}

export function plainText(spans: readonly Span[]): string {
  return spans.map((span) => span.text).join("");
}
