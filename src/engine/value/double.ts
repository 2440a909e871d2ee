// Doubles as text, by the rules of Java's Double.toString (reference: fql/functions.md §10):
// always a point or an exponent, plain from 1e-3 up to 1e7.

/** `1.0`, `1.0E10`, `1.0E-4`, `-0.0`; `NaN`, `Infinity` and `-Infinity` are bare words here. */
export function doubleText(value: number): string {
  if (Number.isInteger(value) && value < 1e7 && value > -1e7) {
    return Object.is(value, -0) ? '-0.0' : `${value}.0`;
  }
  const size = Math.abs(value);
  if (size >= 1e-3 && size < 1e7) return String(value);
  return Number.isFinite(value) ? exponential(value).replace(/e\+?/, 'E') : String(value);
}

/** `1.5e-7`, with the fewest digits that tell it from its neighbours, but at least the nearest two: the smallest Double is 4.9e-324 to Java, not 5e-324. */
export function exponential(value: number): string {
  const text = value.toExponential();
  return text.includes('.') ? text : value.toExponential(1);
}
