// Trusted Types, where the host requires them of the service worker's scripts, too. It has a realm of its own, in which
// no policy of the page counts.

interface Policy {
  /** In fact an object, which stands for its text wherever the address of a script is taken. */
  createScriptURL(address: string): string;
}

/** As far as it is used here; not every browser has it. */
interface TrustedTypes {
  readonly defaultPolicy: Policy | null;
  createPolicy(name: string, rules: Policy): Policy;
}

/** Has to be among those that the host allows, where it names any (`trusted-types`); most hosts that do allow it once. */
const POLICY = 'vivarium';

/** An address of a script of ours, so that it may be imported: by the default policy of a script that has imported ours, if it has a say in that, else by our own. */
export function trusted(address: string): string {
  const { trustedTypes } = globalThis as { readonly trustedTypes?: TrustedTypes };
  const ways = [() => trustedTypes?.defaultPolicy, () => trustedTypes?.createPolicy(POLICY, { createScriptURL: (its) => its })];
  for (const policy of ways) {
    try {
      const url = policy()?.createScriptURL(address);
      if (url !== undefined) return url;
    } catch {
      // Not one of those that are allowed, or without a rule for addresses of scripts.
    }
  }
  // The browser says whether it may be imported all the same.
  return address;
}
