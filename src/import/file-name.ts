// A name for a file that every system takes, from a slug that the service made.

const reserved = /^(con|prn|aux|nul|com\d|lpt\d)$/;
const longest = 80;

/** The first of the texts that leaves something to name a file by. */
export function fileStem(texts: readonly (string | null)[], otherwise: string): string {
  for (const text of texts) {
    const stem = simplify(text ?? "");
    if (stem !== "") return reserved.test(stem) ? `${stem}-event` : stem;
  }
  return otherwise;
}

/** The stem, with a number behind it where it is taken. */
export function freeStem(stem: string, isTaken: (stem: string) => boolean): string {
  if (!isTaken(stem)) return stem;
  for (let number = 2; ; number += 1) {
    if (!isTaken(`${stem}-${number}`)) return `${stem}-${number}`;
  }
}

function simplify(text: string): string {
  return text
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9_]+/g, "-")
    .slice(0, longest)
    .replace(/^[-_]+|(?<![-_])[-_]+$/g, "");
}
