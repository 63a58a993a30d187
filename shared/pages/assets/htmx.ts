import { readPackagedFile } from '../packaged-file.ts';
import { type Asset, script } from './asset.ts';

/** The path of htmx's browser file in `node_modules`. */
export const htmxPath = 'htmx.org/dist/htmx.min.js';

/**
 * The checkout's script, if the given name is its name. It is not in `asset.ts`, because only one function reads htmx.
 */
export const findScript = (name: string): Asset | undefined =>
  name === script.name
    ? { name, type: script.type, body: script.bodyWith(readPackagedFile(htmxPath).toString('utf8')) }
    : undefined;
