import { request } from 'node:http';

export interface RawRequest {
  method?: string;
  /** As it goes over the wire: nothing is normalized. */
  path: string;
  headers?: Record<string, string | string[]>;
  body?: string | Buffer;
}

interface RawResponse {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: Buffer;
}

/** Sends exactly these bytes, which `fetch` would tidy up first. */
export function sendRaw(url: string, { method = 'GET', path, headers = {}, body }: RawRequest): Promise<RawResponse> {
  const { promise, resolve, reject } = Promise.withResolvers<RawResponse>();
  const { hostname, port } = new URL(url);
  const sending = request({ hostname, port, method, path, headers }, async (response) => {
    const chunks: Buffer[] = await response.toArray();
    resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) });
  });
  sending.on('error', reject).end(body);
  return promise;
}
