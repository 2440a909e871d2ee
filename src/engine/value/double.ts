// Doubles as text, by the rules of Java's Double.toString (reference: fql/functions.md §10):
// always a point or an exponent, plain from 1e-3 up to 1e7.

/** `1.0`, `1.0E10`, `1.0E-4`, `-0.0`; `NaN`, `Infinity` and `-Infinity` are bare words here. */
export function doubleText(value: number): string {
  if (Number.isInteger(value) && value < 1e7 && value > -1e7) {
    return Object.is(value, -0) ? '-0.0' : `${value}.0`;
  }
  const size = Math.abs(value);
  if (size >= 1e-3 && size < 1e7) return String(value);
  return Number.isFinite(value) ? scientific(value) : String(value);
}

function scientific(value: number): string {
  const [digits = '', exponent = ''] = value.toExponential().split('e');
  const power = exponent.startsWith('+') ? exponent.slice(1) : exponent;
  if (digits.includes('.')) return `${digits}E${power}`;
  // Java gives at least two digits, the nearest ones: the smallest Double is 4.9E-324, not 5.0E-324.
  return value.toExponential(1).replace(/e\+?/, 'E');
}
