import type { DeployedStack } from '../stack.ts';

export interface StackAnswer {
  status: number;
  body: unknown;
}

/** Sends a request and returns the response, with any status: `ask(stack, key, 'PUT /products/pdt_1/images')`. */
export async function ask(stack: DeployedStack, key: string, request: string, body?: object): Promise<StackAnswer> {
  const [method = 'GET', path = '/'] = request.split(' ');
  const headers = { authorization: `Bearer ${key}`, ...(body && { 'content-type': 'application/json' }) };
  const response = await fetch(stack.publicUrl + path, {
    method,
    headers,
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, body: text.startsWith('{') ? JSON.parse(text) : text };
}
