import { assetHeaders } from '../headers.ts';
import { favicon } from './icon.ts';

/** Search engines may fetch every page. The pages say themselves that they must not be listed. */
const robots = 'User-agent: *\nDisallow:\n';

/** The headers of a file whose name stays the same when its content changes. */
const keptHeaders = (type: string) => ({ ...assetHeaders(type), 'cache-control': 'public, max-age=2592000' });

/** The files that browsers and search engines expect at a fixed address. */
export function findRootFile(path: string) {
  if (path === '/robots.txt') return { headers: keptHeaders('text/plain; charset=utf-8'), body: robots };
  if (path !== '/favicon.ico') return undefined;
  return { headers: keptHeaders('image/x-icon'), body: favicon, isBase64Encoded: true };
}
