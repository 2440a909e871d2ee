// The hypotenuse, by the method of fdlibm, so that it is the same number everywhere: the
// hypot of JavaScript engines differs in its last digit.

const view = new DataView(new ArrayBuffer(8));

/** A number with the lower 32 bits of its fraction cut off, so that products of it are exact. */
function head(value: number): number {
  view.setFloat64(0, value);
  view.setUint32(4, 0);
  return view.getFloat64(0);
}

/** √(a² + b²) within one unit of the last place, without overflow on the way. */
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
