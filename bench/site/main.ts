import { rawRelaxed, rawStrict } from './candidates/raw-idb.ts';
import { byFetch, byPage, byPageStrict } from './candidates/vivarium.ts';
import { serveRunner } from './runner.ts';

serveRunner([byPage, byPageStrict, byFetch, rawRelaxed, rawStrict]);
