import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type Server, STATUS_CODES } from 'node:http';
import { type AddressInfo, createServer as createSocketServer } from 'node:net';
import type { Duplex } from 'node:stream';

/** A server that only this machine can reach. */
export interface LoopbackServer {
  port: number;
  /** Stops listening. Running requests have a second to end. After that, they are cut off. */
  close(): Promise<void>;
}

/** Thrown if another process already uses the requested port. */
export class PortInUseError extends Error {
  constructor(port: number) {
    super(`Port ${port} is in use. Choose another one with --port.`);
    this.name = 'PortInUseError';
  }
}

/** Whether clients may also try ::1 for `localhost`. */
async function leadsToIPv6(): Promise<boolean> {
  const found = await lookup('localhost', { all: true }).catch(() => []);
  return found.some(({ address }) => address === '::1');
}

/**
 * How long an idle connection stays open. It is longer than a busy process can be blocked. Server and client are often
 * in one process. If the client continues late, its connection must not just be closing.
 */
const keptMs = 60_000;

/** Answers what is no HTTP request, such as an unknown method or a head that is too long, with a problem document. */
function refuseMalformed(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const status = error.code === 'HPE_HEADER_OVERFLOW' ? 431 : 400;
  const title = STATUS_CODES[status];
  const body = JSON.stringify({ type: 'about:blank', title, status });
  const headers = `content-type: application/problem+json\r\ncontent-length: ${body.length}\r\nconnection: close`;
  socket.end(`HTTP/1.1 ${status} ${title}\r\n${headers}\r\n\r\n${body}`);
}

async function listen(listener: RequestListener, port: number, address: string): Promise<Server> {
  const server = createServer({ keepAliveTimeout: keptMs }, listener);
  server.on('clientError', refuseMalformed);
  server.listen(port, address);
  await once(server, 'listening');
  return server;
}

async function close(server: Server): Promise<void> {
  if (!server.listening) return;
  const closed = once(server, 'close');
  const impatience = setTimeout(() => server.closeAllConnections(), 1_000);
  server.close();
  server.closeIdleConnections();
  await closed;
  clearTimeout(impatience);
}

const portOf = (server: { address(): unknown }): number => (server.address() as AddressInfo).port;

const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : undefined);

/** Listens at 127.0.0.1, on a free port or on the given one. */
export async function listenOnLoopback(listener: RequestListener, port = 0): Promise<LoopbackServer> {
  const server = await listen(listener, port, '127.0.0.1');
  return { port: portOf(server), close: () => close(server) };
}

/**
 * Ignores an error that means that IPv6 is unavailable. Some machines resolve `localhost` to ::1 but have no IPv6. Then
 * IPv4 is enough.
 */
const unlessUnavailable = (error: unknown): undefined => {
  if (codeOf(error) !== 'EADDRNOTAVAIL') throw error;
};

/**
 * Listens on every address of `localhost` on this machine.
 * @throws PortInUseError if another process uses the port
 */
export async function listenOnLocalhost(listener: RequestListener, port: number): Promise<LoopbackServer> {
  const servers: Server[] = [];
  const closeAll = async () => void (await Promise.all(servers.map(close)));
  try {
    const first = await listen(listener, port, '127.0.0.1');
    servers.push(first);
    const second = (await leadsToIPv6()) && (await listen(listener, portOf(first), '::1').catch(unlessUnavailable));
    if (second) servers.push(second);
    return { port: portOf(first), close: closeAll };
  } catch (error) {
    await closeAll();
    throw codeOf(error) === 'EADDRINUSE' ? new PortInUseError(port) : error;
  }
}

/** Finds a free port, for a server that cannot choose one itself. */
export async function freePort(): Promise<number> {
  const server = createSocketServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const port = portOf(server);
  server.close();
  await once(server, 'close');
  return port;
}

/** The whole body; undefined if it is too large. It is always read to its end. */
export async function readBody(request: IncomingMessage, maxBytes: number): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += chunk.length;
    if (bytes <= maxBytes) chunks.push(chunk);
  }
  return bytes <= maxBytes ? Buffer.concat(chunks) : undefined;
}
