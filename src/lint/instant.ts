/** Milliseconds since the epoch of an instant in canonical form, `2027-03-14T11:00:00.000Z`; NaN where it is none. */
export function readInstant(text: string): number {
  // Rules read the same few times over and over, and the runtime's parser, which takes many forms, is slow at it.
  if (text.length !== 24 || text.charCodeAt(23) !== letterZ || text.charCodeAt(10) !== letterT) return Date.parse(text);
  const year = number(text, 0, 4);
  const month = number(text, 5, 7);
  const day = number(text, 8, 10);
  const hour = number(text, 11, 13);
  const minute = number(text, 14, 16);
  const second = number(text, 17, 19);
  const millisecond = number(text, 20, 23);
  // Years below 100 mean another century to Date.UTC; what is out of range, it would carry over.
  const usual = year >= 100 && month >= 1 && month <= 12 && day >= 1 && day <= 28;
  return usual && hour < 24 && minute < 60 && second < 60
    ? Date.UTC(year, month - 1, day, hour, minute, second, millisecond)
    : Date.parse(text);
}

const letterT = 84;
const letterZ = 90;
const digitZero = 48;

// NaN, which no comparison takes, where anything but a digit stands there.
function number(text: string, start: number, end: number): number {
  let result = 0;
  for (let index = start; index < end; index++) {
    const digit = text.charCodeAt(index) - digitZero;
    if (digit < 0 || digit > 9) return Number.NaN;
    result = result * 10 + digit;
  }
  return result;
}
