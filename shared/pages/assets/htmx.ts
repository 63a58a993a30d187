import { readPackagedFile } from '../packaged-file.ts';
import { type Asset, script } from './asset.ts';

/** The path of the package's browser file. */
export const htmxPath = 'htmx.org/dist/htmx.min.js';

/**
 * The checkout's script, if it has that name. It is separate from other assets, because only one function reads
 * htmx.
 */
export const findScript = (name: string): Asset | undefined =>
  name === script.name
    ? { name, type: script.type, body: script.bodyWith(readPackagedFile(htmxPath).toString('utf8')) }
    : undefined;
