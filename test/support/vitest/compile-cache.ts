import { join } from 'node:path';

/** Workers, and the commands that tests run, find in this folder what Node has compiled for the others. */
export function keepCompiled(): void {
  process.env['NODE_COMPILE_CACHE'] ??= join(import.meta.dirname, '../../../node_modules/.cache/node');
}
