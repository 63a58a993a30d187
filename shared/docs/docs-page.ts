import { createHash } from 'node:crypto';
import { inflateRawSync } from 'node:zlib';
import { notFound } from '../domain/errors.ts';
import type { Page, PageRequest } from '../http/page.ts';
import { isKnownTag } from '../http/published.ts';
import { pageHeaders } from '../pages/headers.ts';
import { deflatedPages, docsStylesHash } from './built.ts';

/** For how long a browser may show its copy without asking. */
const freshSeconds = 300;

/** A page of the documentation: the same on every stack, cached, without a script. A browser with this version gets 304. */
export function docsPage({ param, headers: presented }: PageRequest): Page {
  const name = param('page') || 'index';
  const deflated = Object.hasOwn(deflatedPages, name) ? deflatedPages[name] : undefined;
  if (deflated === undefined) throw notFound('such page');
  const etag = `"${createHash('sha256').update(deflated).digest('base64url').slice(0, 22)}"`;
  const headers = {
    ...pageHeaders({ styles: [docsStylesHash] }),
    'cache-control': `public, max-age=${freshSeconds}`,
    etag,
  };
  if (isKnownTag(presented['if-none-match'], etag)) return { statusCode: 304, headers, body: '' };
  return { statusCode: 200, headers, body: inflateRawSync(Buffer.from(deflated, 'base64')).toString() };
}
