import type { IncomingMessage } from 'node:http';
import type { Rewrite } from '../local-aws/gateway/gateway.ts';

/** Where the sign-in page of a sandbox on this machine signs in by one click. No stack has this address. */
export const oneClickPath = '/local/sign-in';

/** Signs in by the product's own page, with the key that this machine knows. */
export const oneClick =
  (key: string): Rewrite =>
  (request) => {
    if (request.path !== oneClickPath) return request;
    const form = oneClickForm(request.message, request.body, key);
    return form === undefined ? undefined : { ...request, path: '/dashboard/sign-in', body: Buffer.from(form) };
  };

/**
 * Turns the click into the form that signs in with the key of this machine; undefined for any request that another
 * page could have sent. The name in `Host` must be one of this machine, because a foreign name can be led here.
 */
function oneClickForm(message: IncomingMessage, body: Buffer, key: string): string | undefined {
  if (message.method !== 'POST' || !isFromThisMachine(message)) return undefined;
  const next = new URLSearchParams(body.toString('utf8')).get('next') ?? '';
  return new URLSearchParams({ key, next }).toString();
}

const ownNames = ['localhost', '127.0.0.1', '[::1]'];

/** A page that sends no referrer, as ours do, posts with the origin `null`: the browser then says by itself that it is the same site. */
function isFromThisMachine({ headers, socket }: IncomingMessage): boolean {
  const origins = ownNames.map((name) => new URL(`http://${name}:${socket.localPort}`).origin);
  const site = headers['sec-fetch-site'];
  const origin = `http://${headers.host?.toLowerCase()}`;
  const isOwnOrigin = headers.origin === origin || (headers.origin === 'null' && site === 'same-origin');
  return origins.includes(origin) && isOwnOrigin && (site === undefined || site === 'same-origin');
}
