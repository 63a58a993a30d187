import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const { resolve } = createRequire('/');

/**
 * Reads a file of a package from `node_modules` in the working directory. For a deployed function, it is there because
 * the route table lists it in `files`.
 */
export const readPackagedFile = (path: string): Buffer =>
  readFileSync(resolve(path, { paths: [process.cwd(), process.argv[1] ?? ''] }));
