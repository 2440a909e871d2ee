// What takes more care than the platform's own functions: their last digits are wrong, or differ from one JavaScript engine
// to the next.

const view = new DataView(new ArrayBuffer(8));

/** A number with the lower 32 bits of its fraction cut off, so that products of it are exact. */
function head(value: number): number {
  view.setFloat64(0, value);
  view.setUint32(4, 0);
  return view.getFloat64(0);
}

/** √(a² + b²) within one unit of the last place, without overflow on the way. By the method of fdlibm. */
export function hypot(a: number, b: number): number {
  const [small, large] = [Math.abs(a), Math.abs(b)].sort((x, y) => x - y) as [number, number];
  if (large === Infinity || small === Infinity) return Infinity;
  if (Number.isNaN(small + large)) return NaN;
  if (large > 2 ** 500) return hypot(small * 2 ** -600, large * 2 ** -600) * 2 ** 600;
  if (small < 2 ** -500 && small > 0 && large < 2 ** 61 * small) return hypot(small * 2 ** 600, large * 2 ** 600) * 2 ** -600;
  return large > 2 ** 60 * small ? large + small : Math.sqrt(sumOfSquares(large, small));
}

function sumOfSquares(large: number, small: number): number {
  const difference = large - small;
  if (difference > small) {
    const high = head(large);
    return high * high - (small * -small - (large - high) * (large + high));
  }
  const high = head(2 * large);
  const smallHigh = head(small);
  return high * smallHigh - (difference * -difference - (high * (small - smallHigh) + (2 * large - high) * small));
}

/** The platform's own misses powers of ten by a bit, and those of whole numbers that are one part of a whole number. */
export function power(base: number, exponent: number): number {
  if (!Number.isInteger(base) || !Number.isSafeInteger(exponent)) return base ** exponent;
  if (base === 10) return Number(`1e${exponent}`);
  const parts = base ** -exponent;
  return exponent < 0 && Number.isSafeInteger(parts) ? 1 / parts : base ** exponent;
}
