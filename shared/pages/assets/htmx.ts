import { readPackagedFile } from '../../packaged-file.ts';
import type { Asset } from './asset.ts';
import { htmxName } from './htmx-name.ts';

/** Where the package has the file that browsers get, as it is. */
export const htmxPath = 'htmx.org/dist/htmx.min.js';

/** The file of that name, if it is htmx. */
export const findHtmx = (name: string): Asset | undefined =>
  name === htmxName
    ? { name, type: 'text/javascript; charset=utf-8', body: readPackagedFile(htmxPath).toString('utf8') }
    : undefined;
