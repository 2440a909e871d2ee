import type { Cases } from '../cases.ts';
import { auth } from './auth.ts';
import { collections } from './collections.ts';
import { forms } from './forms.ts';
import { logic } from './logic.ts';
import { numbers } from './numbers.ts';
import { reads } from './reads.ts';
import { refs } from './refs.ts';
import { sets } from './sets.ts';
import { strings } from './strings.ts';
import { times } from './times.ts';
import { types } from './types.ts';
import { writes } from './writes.ts';

export const FAMILIES: Readonly<Record<string, Cases>> = { forms, collections, types, strings, times, numbers, logic, refs, reads, sets, writes, auth };
