import { createHash } from 'node:crypto';
import { inflateRawSync } from 'node:zlib';
import { notFound } from '../domain/errors.ts';
import type { Page, PageRequest } from '../http/page.ts';
import { isKnownTag } from '../http/published.ts';
import { pageHeaders } from '../pages/headers.ts';

/** How long a browser may show its copy without asking for a newer one. */
const freshSeconds = 300;

/**
 * The address and the key in the examples of the documentation. They are those of a sandbox on the reader's machine.
 */
const local = { url: 'http://localhost:4000', key: 'sk_test_LocalSandboxKeyWorksNowhereElse04O5HgB' };

/** Puts the stack's own address into the examples. If the sandbox's key does not work there, it is removed. */
function forStack(text: string, publicUrl: string): string {
  const isLocal = /^http:\/\/localhost(:|$)/.test(publicUrl);
  const shown = text.replaceAll(local.url, publicUrl);
  return isLocal ? shown : shown.replaceAll(local.key, 'YOUR_API_KEY');
}

/** The built pages of the documentation. */
interface Site {
  /** The hash of the styles, for the content policy. */
  stylesHash: string;
  /** The HTML of each page by its name, its Markdown as `start.md`, and `llms.txt`; deflated and in base64. */
  deflatedPages: Readonly<Record<string, string>>;
}

/** The list of the documentation for programs, beside `/docs`. */
const listPath = '/llms.txt';

const textType = (name: string): string => `text/${name.endsWith('.md') ? 'markdown' : 'plain'}; charset=utf-8`;

/**
 * Returns a page of the documentation. The page may be cached and has no script. A browser that already has it gets a
 * 304.
 */
export const docsPage =
  ({ stylesHash, deflatedPages }: Site, publicUrl: string) =>
  ({ param, path, headers: presented }: PageRequest): Page => {
    const name = path === listPath ? listPath.slice(1) : param('page') || 'index';
    const deflated = Object.hasOwn(deflatedPages, name) ? deflatedPages[name] : undefined;
    if (deflated === undefined) throw notFound('such page');
    const etag = `"${createHash('sha256').update(deflated).update(publicUrl).digest('base64url').slice(0, 22)}"`;
    const headers = {
      ...pageHeaders({ styles: [stylesHash] }),
      ...(name.includes('.') && { 'content-type': textType(name) }),
      'cache-control': `public, max-age=${freshSeconds}`,
      etag,
    };
    if (isKnownTag(presented['if-none-match'], etag)) return { statusCode: 304, headers, body: '' };
    const text = inflateRawSync(Buffer.from(deflated, 'base64')).toString();
    return { statusCode: 200, headers, body: forStack(text, publicUrl) };
  };
