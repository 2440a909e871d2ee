// What each field of the generated schema does, as data: expansion plans it, execution does it.
import type { Field, ObjectType } from './model.ts';
import type { Link } from './relations.ts';

export type FieldPlan =
  // Fields of a document, and of an object inside one
  | { readonly do: 'id' }
  | { readonly do: 'ts' }
  | { readonly do: 'stored'; readonly field: string; readonly embedded: boolean }
  /** Refs kept in the document itself, one or an array. */
  | { readonly do: 'stored refs'; readonly field: string; readonly embedded: boolean }
  | { readonly do: 'relation'; readonly link: Link }
  // Fields of a page
  | { readonly do: 'page data' }
  | { readonly do: 'page cursor'; readonly direction: 'before' | 'after' }
  // Fields of Query
  | { readonly do: 'find'; readonly type: ObjectType }
  | { readonly do: 'list'; readonly index: string; readonly field: Field }
  | { readonly do: 'first'; readonly index: string; readonly field: Field }
  // Fields of Query and Mutation
  | { readonly do: 'call'; readonly function: string; readonly paginated: boolean; readonly field: Field }
  // Fields of Mutation
  | { readonly do: 'create' | 'update' | 'partialUpdate' | 'delete'; readonly type: ObjectType };
