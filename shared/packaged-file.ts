import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const { resolve } = createRequire('/');

/**
 * A file of a package, found as packages are from where the process runs: in `node_modules` there, or beside the function's bundle,
 * where the route table's `files` puts it.
 */
export const readPackagedFile = (path: string): Buffer =>
  readFileSync(resolve(path, { paths: [process.cwd(), process.argv[1] ?? ''] }));
