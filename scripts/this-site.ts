import { resolve } from 'node:path';
import { root } from './run.mjs';

/** Whether a build is of this site: other sites are built with these settings, too. */
export const isThisSite = (config: { readonly root?: string | undefined }): boolean => config.root === undefined || resolve(config.root) === resolve(root);
