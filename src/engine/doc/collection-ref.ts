import { NATIVE, Ref } from '../value/ref.ts';

/** The ref of the collection a document is in. */
export const collectionRefOf = (ref: Ref): Ref => new Ref(NATIVE.collections, BigInt(ref.collection), ref.scope);
