import { createHash } from 'node:crypto';
import { inflateRawSync } from 'node:zlib';
import { notFound } from '../domain/errors.ts';
import type { Page, PageRequest } from '../http/page.ts';
import { isKnownTag } from '../http/published.ts';
import { pageHeaders } from '../pages/headers.ts';

/** For how long a browser may show its copy without asking. */
const freshSeconds = 300;

/** The address and the key of the sandbox on the reader's machine, which the examples are written with. */
const local = { url: 'http://localhost:4000', key: 'sk_test_LocalSandboxKeyWorksNowhereElse04O5HgB' };

/** The examples of a page for the stack that shows it: its address, and no key where the sandbox's own does not work. */
function forStack(text: string, publicUrl: string): string {
  const isLocal = /^http:\/\/localhost(:|$)/.test(publicUrl);
  const shown = text.replaceAll(local.url, publicUrl);
  return isLocal ? shown : shown.replaceAll(local.key, 'YOUR_API_KEY');
}

/** The pages of the documentation, as they are built. */
interface Site {
  /** The hash of their style, as a policy names it. */
  stylesHash: string;
  /** Each page by its name: deflated, in base64. */
  deflatedPages: Readonly<Record<string, string>>;
}

/** A page of the documentation, cached, without a script. A browser that has it already gets 304. */
export const docsPage =
  ({ stylesHash, deflatedPages }: Site, publicUrl: string) =>
  ({ param, headers: presented }: PageRequest): Page => {
    const name = param('page') || 'index';
    const deflated = Object.hasOwn(deflatedPages, name) ? deflatedPages[name] : undefined;
    if (deflated === undefined) throw notFound('such page');
    const etag = `"${createHash('sha256').update(deflated).update(publicUrl).digest('base64url').slice(0, 22)}"`;
    const headers = {
      ...pageHeaders({ styles: [stylesHash] }),
      'cache-control': `public, max-age=${freshSeconds}`,
      etag,
    };
    if (isKnownTag(presented['if-none-match'], etag)) return { statusCode: 304, headers, body: '' };
    const text = inflateRawSync(Buffer.from(deflated, 'base64')).toString();
    return { statusCode: 200, headers, body: forStack(text, publicUrl) };
  };
