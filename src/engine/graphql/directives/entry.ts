// What a directive of a schema definition is: its signature, what it leaves in the metadata,
// and which schema documents it asks for. One file for each.
import type { DirectiveUse, Field, Model, ObjectType, RootName, TypeRef } from '../model.ts';
import type { Link, Relations } from '../relations.ts';
import type { PlannedDocument } from '../planned.ts';

interface SiteBase {
  readonly model: Model;
  readonly relations: Relations;
}

/** Where a directive stands, or could stand. */
export type Site =
  | (SiteBase & { readonly at: 'type'; readonly type: ObjectType })
  | (SiteBase & { readonly at: 'field'; readonly type: ObjectType; readonly field: Field; readonly link: Link | undefined })
  | (SiteBase & { readonly at: 'root'; readonly root: RootName; readonly field: Field });

/** Where a directive is taken. */
export type Place = 'OBJECT' | 'FIELD_DEFINITION' | 'ENUM_VALUE';

export interface DirectiveArgument {
  readonly name: string;
  readonly type: TypeRef;
  readonly default?: boolean;
}

export interface DirectiveEntry {
  readonly name: string;
  readonly on: Place;
  /** Where it is taken and recorded, too, and does nothing. */
  readonly alsoOn?: Place;
  readonly args: readonly DirectiveArgument[];
  /** Introspection does not show it. */
  readonly unlisted?: true;
  /**
   * What is recorded at a site of a collection type or of a root field, given what was written there.
   * Without it a written use is recorded as it is.
   */
  record?(use: DirectiveUse | undefined, site: Site): DirectiveUse | undefined;
  /** The schema documents the recorded use stands for. */
  documents?(use: DirectiveUse, site: Site): readonly PlannedDocument[];
  /** Why the use is wrong where it stands, if it is. */
  refuse?(use: DirectiveUse, site: Site): string | undefined;
}

export const TEXT: TypeRef = { Named: 'String' };
export const REQUIRED_TEXT: TypeRef = { NotNull: TEXT };
