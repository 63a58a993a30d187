import { appSchemeOf } from '../domain/return-address.ts';

export interface PageNeeds {
  /** The address to which a form of the page leads; null if there is none. */
  formTarget?: string | null;
  /** Addresses on other sites to which a form of the page may lead. */
  formOrigins?: readonly string[];
  /** Addresses on other sites to which the page's script may send. */
  connectOrigins?: readonly string[];
  /** Addresses of the images on the page. */
  images?: readonly (string | null)[];
  /** The allowed sources of styles. By default, only our own files. */
  styles?: readonly string[];
  /** Whether the page has frames with our own pages. By default, it has none. */
  hasFrames?: boolean;
  /** Whether the page contains its icon in the HTML. By default, it does not. */
  hasInlineIcon?: boolean;
}

/**
 * The headers of every page. They forbid foreign content, inline scripts and framing, and hide the page's address from
 * other sites.
 */
export function pageHeaders({
  formTarget = null,
  formOrigins = [],
  connectOrigins = [],
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
      connections: originsOf(connectOrigins),
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

/**
 * The headers of a mail that one of our pages shows in a frame. The mail contains its styles, runs no script and has no
 * working links. The page may measure its height.
 */
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

type Sources = Record<'formTargets' | 'connections' | 'images' | 'styles' | 'frames', string>;

const contentPolicy = ({ formTargets, connections, images, styles, frames }: Sources): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src ${styles}`,
    `img-src 'self'${images}`,
    `connect-src 'self'${connections}`,
    ...(frames ? [`frame-src${frames}`] : []),
    `form-action 'self'${formTargets}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

/**
 * The scheme to which a form may lead: ` https:`, or the scheme of an app. Browsers check each redirect, and an address
 * may redirect to any other site. `http:` also allows https.
 */
function schemeOf(address: string | null): string {
  if (!address || !URL.canParse(address)) return '';
  const { protocol } = new URL(address);
  return /^https?:$/.test(protocol) || appSchemeOf(address) !== undefined ? ` ${protocol}` : '';
}

/**
 * The origins of addresses as a list: ` https://a.example https://b.example`. An origin contains no character that
 * could end a directive.
 */
function originsOf(addresses: readonly (string | null)[]): string {
  const origins = addresses
    .flatMap((address) => (address && URL.canParse(address) ? [new URL(address).origin] : []))
    .filter((origin) => origin.startsWith('http'));
  return [...new Set(origins)].map((origin) => ` ${origin}`).join('');
}

/** Redirects the browser to an address, with GET. */
export const seeOther = (location: string) => ({ statusCode: 303, headers: { ...pageHeaders(), location }, body: '' });
