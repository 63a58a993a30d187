import { createHmac, timingSafeEqual } from 'node:crypto';
import { refuseField } from '../domain/errors.ts';

/** The list request for which a cursor is valid. */
export interface Walk {
  /** The hash of the API key that received it. */
  hash: string;
  /**
   * The stack's key that signs cursors. Undefined if the stack has no secret yet. Then the cursor is signed only by the
   * API key.
   */
  stackKey: string | undefined;
  /** The path of the list. */
  list: string;
  /** The query fields of the request, without the fields that choose the page. */
  filters: Readonly<Record<string, string>>;
}

/** The key that signs the cursors of a stack with this secret. */
export const cursorSecretOf = (stackSecret: string | undefined): string | undefined =>
  stackSecret && createHmac('sha256', stackSecret).update('cursor').digest('base64url');

/** The query fields that may change from page to page. */
const paging = ['page_number', 'page_size', 'cursor'];

/**
 * Writes a cursor as `<place>=<the stack's signature>.<the key's signature>`. Version 0.2.0 can still read the place
 * and its own signature in it.
 */
export function sealCursor(place: string, walk: Walk): string {
  const text = Buffer.from(place).toString('base64url');
  const signed = walk.stackKey === undefined ? text : `${text}=${ofStack(text, walk, walk.stackKey)}`;
  return `${signed}.${ofKey(signed, walk)}`;
}

/**
 * Reads the place from a cursor that this stack made for this list. Until the next release, it also accepts cursors of
 * version 0.2.0, which only the API key has signed. The owner of the key can forge those, so they are accepted only if
 * `isPlace` confirms that the list can have such a place.
 */
export function openCursor(cursor: string, walk: Walk, isPlace: (text: string) => boolean): string {
  const [signed = '', byKey = '', more] = cursor.split('.');
  const [text = '', byStack, excess] = signed.split('=');
  const place = Buffer.from(text, 'base64url').toString();
  const isWhole = more === undefined && excess === undefined && isPlace(place);
  if (isWhole && isSame(byKey, ofKey(signed, walk)) && isByStack(text, byStack, walk)) return place;
  throw refuseField(
    'INVALID_QUERY_PARAMS',
    'cursor',
    'is not a cursor of this list with these filters; send the next_cursor of a response, and the same filters',
  );
}

const isByStack = (text: string, byStack: string | undefined, walk: Walk): boolean =>
  byStack === undefined || (walk.stackKey !== undefined && isSame(byStack, ofStack(text, walk, walk.stackKey)));

function ofStack(text: string, { hash, list, filters }: Walk, stackKey: string): string {
  const narrowed = Object.entries(filters).filter(([name]) => !paging.includes(name));
  return shortHmac(stackKey, JSON.stringify([hash, list, narrowed.sort(), text]));
}

const ofKey = (text: string, { hash }: Walk): string => shortHmac(hash, text);

const shortHmac = (key: string, text: string): string =>
  createHmac('sha256', key).update(text).digest().subarray(0, 16).toString('base64url');

/** Compares in constant time. So a signature cannot be found character by character. */
function isSame(actual: string, expected: string): boolean {
  const [left, right] = [Buffer.from(actual), Buffer.from(expected)];
  return left.length === right.length && timingSafeEqual(left, right);
}
