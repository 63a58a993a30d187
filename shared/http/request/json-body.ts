import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { DomainError } from '../../domain/errors.ts';
import { bodyBytes, isJson } from './body.ts';

export const maxBodyBytes = 256 * 1024;
const maxDepth = 20;

/** Parses the body of a request that says that its body is JSON. */
export function readJson(event: APIGatewayProxyEventV2): unknown {
  if (!isJson(event))
    throw new DomainError('UNSUPPORTED_MEDIA_TYPE', 'Send the body as "content-type: application/json".');
  const encoding = event.headers['content-encoding'] ?? 'identity';
  if (encoding !== 'identity')
    throw new DomainError(
      'UNSUPPORTED_MEDIA_TYPE',
      `Send the body uncompressed, without "content-encoding: ${encoding}".`,
    );
  return parseJsonBody(bodyBytes(event));
}

/** Parses a request body as JSON. Size, UTF-8, depth and key names are checked first. */
export function parseJsonBody(bytes: Buffer): unknown {
  if (bytes.byteLength > maxBodyBytes)
    throw new DomainError(
      'PAYLOAD_TOO_LARGE',
      `The body has ${bytes.byteLength} bytes; at most ${maxBodyBytes} are accepted.`,
    );
  const text = decode(bytes);
  if (text.trim() === '') throw unparsable('The body is empty. Send a JSON object.');
  assertDepth(text);
  const value = parse(text);
  assertUniqueKeys(text);
  return value;
}

function decode(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw unparsable('The body is not valid UTF-8.');
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text, refuseReservedKeys);
  } catch (error) {
    if (error instanceof DomainError) throw error;
    throw unparsable(`The body is not valid JSON${placeOf(error)}.`);
  }
}

/** The position where the parser stopped, if it reports one. The text around it is not shown. */
function placeOf(error: unknown): string {
  const position = error instanceof Error ? /at position \d+/.exec(error.message)?.[0] : undefined;
  return position ? ` (${position})` : '';
}

/**
 * Refuses member names such as `__proto__`, which would hide properties of JavaScript objects. Code that copies or
 * stores an object relies on these properties.
 */
function refuseReservedKeys(key: string, value: unknown): unknown {
  if (key === '__proto__' || key === 'constructor' || key === 'prototype')
    throw new DomainError('INVALID_REQUEST_BODY', `The key "${key}" is reserved; choose another name.`);
  return value;
}

const unparsable = (message: string): DomainError => new DomainError('UNPARSABLE_BODY', message);

/** Matches a string. An unfinished string matches up to the end of the text. No input makes it slow. */
const strings = /"(?:[^"\\]|\\[\s\S]?)*"?/g;

/** Refuses a body that is nested too deeply, before it is parsed. It counts the brackets outside strings. */
function assertDepth(text: string): void {
  let depth = 0;
  for (const character of text.replace(strings, '')) {
    if (character === '{' || character === '[') depth += 1;
    else if (character === '}' || character === ']') depth -= 1;
    if (depth > maxDepth) throw unparsable(`The body is nested deeper than ${maxDepth} levels.`);
  }
}

const tokens = /"(?:[^"\\]|\\.)*"|[{}[\]:,]/g;

/**
 * Refuses an object with the same key twice, because parsers use different values then. The text must be valid JSON.
 */
function assertUniqueKeys(text: string): void {
  const open: (Set<string> | undefined)[] = [];
  let lastString = '';
  const steps: Record<string, () => void> = {
    '{': () => open.push(new Set()),
    '[': () => open.push(undefined),
    '}': () => open.pop(),
    ']': () => open.pop(),
    ':': () => remember(open.at(-1), JSON.parse(lastString) as string),
    ',': () => {},
  };
  for (const [token] of text.matchAll(tokens)) {
    const step = steps[token];
    if (step) step();
    else lastString = token;
  }
}

function remember(keys: Set<string> | undefined, key: string): void {
  if (keys?.has(key)) throw unparsable(`The key "${key}" occurs twice in one object.`);
  keys?.add(key);
}
