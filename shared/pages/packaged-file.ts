import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const { resolve } = createRequire('/');

/**
 * Reads a file of a package from `node_modules` below the working directory. For a deployed function, the route
 * table's `files` puts it there.
 */
export const readPackagedFile = (path: string): Buffer =>
  readFileSync(resolve(path, { paths: [process.cwd(), process.argv[1] ?? ''] }));
