// Names the gateway makes from names in the schema (reference: graphql/graphql.md §2, §4, §7).

/** `TokenContract` → `tokenContract`: only the first letter changes (`ERC721` → `eRC721`). */
export const decapitalize = (name: string): string => name.charAt(0).toLowerCase() + name.slice(1);

export const capitalize = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);

/** The name a relation takes from one of its fields; a relation with two fields has two candidates. */
export const relationCandidate = (type: string, field: string): string => `${decapitalize(type)}_${field}`;

/** The smaller of two candidates by code units: `C` comes before `_`. */
export const smaller = (a: string, b: string): string => (a < b ? a : b);

/** Key of a type's ref in the documents of a link collection. */
export const linkKey = (type: string): string => `${decapitalize(type)}ID`;

export const uniqueIndex = (type: string, field: string): string => `unique_${type}_${field}`;
export const inputName = (type: string): string => `${type}Input`;
export const partialInputName = (type: string): string => `PartialUpdate${type}Input`;
export const pageName = (type: string): string => `${type}Page`;
export const resolverPageName = (root: string, field: string): string => `${root}${capitalize(field)}Page`;
export const relationInputName = (type: string, field: string): string => `${type}${capitalize(field)}Relation`;
export const findName = (type: string): string => `find${type}ByID`;
