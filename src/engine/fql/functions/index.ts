// Every function of the language, family by family.
import type { Form } from '../../form/form.ts';
import { basics } from './basics.ts';
import { collections } from './collections.ts';
import { conversions } from './conversion.ts';
import { folds } from './folds.ts';
import { identities } from './identity.ts';
import { logic } from './logic.ts';
import { numbers } from './numbers.ts';
import { objects } from './objects.ts';
import { paths } from './paths.ts';
import { reads } from './reads.ts';
import { refs } from './refs.ts';
import { sets } from './sets.ts';
import { strings } from './strings.ts';
import { time } from './time.ts';
import { trigonometry } from './trigonometry.ts';
import { typeChecks } from './type-checks.ts';
import { writes } from './writes.ts';

export const FAMILIES = {
  basics,
  logic,
  paths,
  collections,
  folds,
  objects,
  refs,
  sets,
  reads,
  writes,
  identities,
  time,
  numbers,
  trigonometry,
  strings,
  conversions,
  typeChecks,
};

export const FORMS: readonly Form[] = Object.values(FAMILIES).flat();
