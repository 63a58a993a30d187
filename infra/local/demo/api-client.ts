/** A client of the API, like that of an integrator: JSON over HTTP with a key. */
export interface ApiClient {
  get(path: string): Promise<unknown>;
  post(path: string, body: object): Promise<unknown>;
  patch(path: string, body: object): Promise<unknown>;
  delete(path: string): Promise<unknown>;
}

/** Makes a client. For every response that is not a 2xx, it throws an error with the request and the response. */
export function apiClient(url: string, key: string): ApiClient {
  const call = async (method: string, path: string, body?: object): Promise<unknown> => {
    const headers = { authorization: `Bearer ${key}`, ...(body && { 'content-type': 'application/json' }) };
    const response = await fetch(url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} was answered with ${response.status}: ${text}`);
    return JSON.parse(text);
  };
  return {
    get: (path) => call('GET', path),
    post: (path, body) => call('POST', path, body),
    patch: (path, body) => call('PATCH', path, body),
    delete: (path) => call('DELETE', path),
  };
}
