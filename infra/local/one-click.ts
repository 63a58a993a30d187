import type { IncomingMessage } from 'node:http';
import type { Rewrite } from '../local-aws/gateway/gateway.ts';

/** The path of the sign-in with one click, in a sandbox on this machine. No stack has it. */
export const oneClickPath = '/local/sign-in';

/** Signs in through the normal sign-in page, with this machine's key. */
export const oneClick =
  (key: string): Rewrite =>
  (request) => {
    if (request.path !== oneClickPath) return request;
    const form = oneClickForm(request.message, request.body, key);
    return form === undefined ? undefined : { ...request, path: '/dashboard/sign-in', body: Buffer.from(form) };
  };

/**
 * Turns the click into a form that signs in with this machine's key. Undefined for a request that another page could
 * have sent. The name in `Host` must belong to this machine, because an attacker can make another name resolve to it.
 */
function oneClickForm(message: IncomingMessage, body: Buffer, key: string): string | undefined {
  if (message.method !== 'POST' || !isFromThisMachine(message)) return undefined;
  const next = new URLSearchParams(body.toString('utf8')).get('next') ?? '';
  return new URLSearchParams({ key, next }).toString();
}

const ownNames = ['localhost', '127.0.0.1', '[::1]'];

/**
 * Whether the request comes from a page on this machine. Our pages send no referrer, so their forms have the origin
 * `null`. Another header of the browser then shows that the request comes from the same site.
 */
function isFromThisMachine({ headers, socket }: IncomingMessage): boolean {
  const origins = ownNames.map((name) => new URL(`http://${name}:${socket.localPort}`).origin);
  const site = headers['sec-fetch-site'];
  const origin = `http://${headers.host?.toLowerCase()}`;
  const isOwnOrigin = headers.origin === origin || (headers.origin === 'null' && site === 'same-origin');
  return origins.includes(origin) && isOwnOrigin && (site === undefined || site === 'same-origin');
}
