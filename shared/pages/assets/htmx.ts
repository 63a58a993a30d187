import { readPackagedFile } from '../../packaged-file.ts';
import { type Asset, script } from './asset.ts';

/** Where the package has the file that browsers get, as it is. */
export const htmxPath = 'htmx.org/dist/htmx.min.js';

/** The file of that name, if it is the checkout's script; apart from the others, because only one function reads htmx. */
export const findScript = (name: string): Asset | undefined =>
  name === script.name
    ? { name, type: script.type, body: script.bodyWith(readPackagedFile(htmxPath).toString('utf8')) }
    : undefined;
