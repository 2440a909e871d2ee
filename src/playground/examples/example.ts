// Requests to begin with. The first group of each kind needs nothing and builds on itself from top
// to bottom.
import type { ApiVersion } from '../api.ts';

export interface Example {
  readonly name: string;
  readonly text: string;
  /** For a query expression; absent means 2.0, the version without a header. */
  readonly version?: ApiVersion;
  /** For GraphQL: text of the variables pane. */
  readonly variables?: string;
}

export interface ExampleGroup {
  readonly name: string;
  readonly examples: readonly Example[];
}
