import { join } from 'node:path';

/** A folder with Node's compiled code. Workers and the commands that tests run share it. */
export function keepCompiled(): void {
  process.env['NODE_COMPILE_CACHE'] ??= join(import.meta.dirname, '../../../node_modules/.cache/node');
}
