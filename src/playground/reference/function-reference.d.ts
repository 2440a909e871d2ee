/** Made at build from the engine's registry (scripts/function-reference.ts). */
declare module 'virtual:function-reference' {
  import type { Family } from './entries.ts';
  export const families: readonly Family[];
  /** The query that makes what the examples are about. */
  export const world: string;
}
