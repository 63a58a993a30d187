import { appSchemeOf } from '../domain/return-address.ts';

export interface PageNeeds {
  /** Where a form of the page leads. */
  formTarget?: string | null;
  /** Addresses of other sites that a form of the page may lead to. */
  formOrigins?: readonly string[];
  /** Addresses of the images on the page. */
  images?: readonly (string | null)[];
  /** Where its styles may come from. Default: files of ours. */
  styles?: readonly string[];
  /** Whether it has frames, of pages of ours. Default: no. */
  hasFrames?: boolean;
  /** Whether its icon is inside the page. Default: no. */
  hasInlineIcon?: boolean;
}

/** The headers of every page: nothing from elsewhere, no inline script, no frames, no trace of the address. */
export function pageHeaders({
  formTarget = null,
  formOrigins = [],
  images = [],
  styles = ["'self'"],
  hasFrames = false,
  hasInlineIcon = false,
}: PageNeeds = {}): Record<string, string> {
  const imageSources = `${originsOf(images)}${hasInlineIcon ? ' data:' : ''}`;
  return {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': contentPolicy({
      formTargets: `${originsOf(formOrigins)}${schemeOf(formTarget)}`,
      images: imageSources,
      styles: styles.join(' '),
      frames: hasFrames ? " 'self'" : '',
    }),
    ...privateHeaders,
    'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=()',
    'cross-origin-opener-policy': 'same-origin',
    ...transportHeaders,
  };
}

/** The headers of a mail that a page of ours shows in a frame: it has its styles inside, runs nothing and leads nowhere. The page may measure it. */
export const mailHeaders = (images: readonly (string | null)[]): Record<string, string> => ({
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': `sandbox allow-same-origin; default-src 'none'; style-src 'unsafe-inline'; img-src${originsOf(images) || " 'none'"}; base-uri 'none'; form-action 'none'; frame-ancestors 'self'`,
  ...privateHeaders,
  ...transportHeaders,
});

const privateHeaders = { 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' };

const transportHeaders = {
  'x-content-type-options': 'nosniff',
  'strict-transport-security': 'max-age=63072000; includeSubDomains',
};

/** The headers of a file whose name changes with its content. */
export const assetHeaders = (type: string): Record<string, string> => ({
  'content-type': type,
  'cache-control': 'public, max-age=31536000, immutable',
  'cross-origin-resource-policy': 'same-origin',
  ...transportHeaders,
});

type Sources = Record<'formTargets' | 'images' | 'styles' | 'frames', string>;

const contentPolicy = ({ formTargets, images, styles, frames }: Sources): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src ${styles}`,
    `img-src 'self'${images}`,
    "connect-src 'self'",
    ...(frames ? [`frame-src${frames}`] : []),
    `form-action 'self'${formTargets}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

/**
 * ` https:`, or that of an app: browsers check every step of a redirect, and an address may lead on to any other.
 * `http:` allows https too.
 */
function schemeOf(address: string | null): string {
  if (!address || !URL.canParse(address)) return '';
  const { protocol } = new URL(address);
  return /^https?:$/.test(protocol) || appSchemeOf(address) !== undefined ? ` ${protocol}` : '';
}

/** ` https://a.example https://b.example`. An origin contains no character that could end a directive. */
function originsOf(addresses: readonly (string | null)[]): string {
  const origins = addresses
    .flatMap((address) => (address && URL.canParse(address) ? [new URL(address).origin] : []))
    .filter((origin) => origin.startsWith('http'));
  return [...new Set(origins)].map((origin) => ` ${origin}`).join('');
}

/** Sends the browser on with a GET. */
export const seeOther = (location: string) => ({ statusCode: 303, headers: { ...pageHeaders(), location }, body: '' });
