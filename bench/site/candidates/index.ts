// One line a candidate. The runner's list (bench/candidates.mjs) gives their order and names.
import type { Candidate } from '../candidate.ts';
import { constant } from './constant.ts';
import { rawRelaxed, rawStrict } from './raw-idb.ts';
import { byFetch, byFetchStrict, byPage, byPageStrict } from './vivarium.ts';

export const CANDIDATES: readonly Candidate[] = [byPage, byPageStrict, byFetch, byFetchStrict, constant, rawRelaxed, rawStrict];
