// Trusted Types, where the host requires them of the service worker's scripts, too. It has a realm of its own, in which
// no policy of the page counts.

/** As far as it is used here; not every browser has it. */
interface TrustedTypes {
  readonly defaultPolicy: object | null;
  createPolicy(name: string, rules: { createScriptURL(address: string): string }): { createScriptURL(address: string): string };
}

/** Has to be among those that the host allows, where it names any (`trusted-types`). */
const POLICY = 'vivarium';

/** An address of a script of ours, so that it may be imported. A default policy, of a script that has imported ours, decides for itself. */
export function trusted(address: string): string {
  const { trustedTypes } = globalThis as { readonly trustedTypes?: TrustedTypes };
  if (trustedTypes === undefined || trustedTypes.defaultPolicy !== null) return address;
  try {
    return trustedTypes.createPolicy(POLICY, { createScriptURL: (its) => its }).createScriptURL(address);
  } catch {
    // Not one of those: whether the address may be imported all the same, the browser says.
    return address;
  }
}
