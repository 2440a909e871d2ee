import type { Obj } from './obj.ts';
import type { Ref } from './ref.ts';
import { SetValue } from './value.ts';

/** A set read back from a document: only what it is made of, until someone reads it. */
export class StoredSet extends SetValue {
  constructor(private readonly description: Obj | Ref) {
    super();
  }

  describe(): Obj | Ref {
    return this.description;
  }
}
