// Numbers as people write them: "₱1,500.00", "1.500,00", "200,50".

/** The whole numbers that a text may mean, the likeliest first; none if it is no number. A separator of thousands has three digits after it. */
export function numbersIn(text: string): readonly number[] {
  const digits = text.replace(/^(?:₱|php|p)|(?:php|pesos?)$|[\s_]/gi, "");
  if (/^\d{1,15}$/.test(digits)) return [Number(digits)];
  const [, thousands, , decimals = ""] =
    /^(\d{1,3}(?:([,.])\d{3})(?:\2\d{3})*)(?:(?!\2)[,.](\d+))?$/.exec(digits) ?? [];
  if (thousands !== undefined) return around(thousands.replace(/[,.]/g, ""), decimals);
  const [, whole, part = ""] = /^(\d{1,15})[,.](\d+)$/.exec(digits) ?? [];
  return whole === undefined ? [] : around(whole, part);
}

/** The number itself, or those below and above it. */
function around(whole: string, decimals: string): readonly number[] {
  const below = Number(whole);
  if (!Number.isSafeInteger(below)) return [];
  return /^0*$/.test(decimals) ? [below] : [below, below + 1];
}
