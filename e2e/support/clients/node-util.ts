// What the driver of 2017 uses of Node's `util`, as bundlers put in its place.
export function inherits(constructor: { prototype: object }, parent: { prototype: object }): void {
  Object.setPrototypeOf(constructor.prototype, parent.prototype);
}
