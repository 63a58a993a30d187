import type { ApiOperation } from '../../../reference/contract.ts';
import { UsageError } from '../../../usage-error.ts';

/** Shorter nouns for some tags of the contract. */
const nouns: Readonly<Record<string, string>> = {
  'API keys': 'keys',
  'Checkout sessions': 'checkouts',
  'Localized prices': 'prices',
  'Webhook events': 'events',
};

/** The names of commands whose operation has a less clear name. */
const names: Readonly<Record<string, string>> = {
  archiveLocalizedPrice: 'prices remove',
  createLocalizedPrice: 'prices add',
  deleteDiscount: 'discounts stop',
  requestErasure: 'customers erase',
};

const singular = (word: string): string => word.replace(/ies$/, 'y').replace(/s$/, '');

const wordsOf = (text: string): string[] =>
  text
    .replace(/[A-Z]/g, ' $&')
    .toLowerCase()
    .split(/[ _-]+/)
    .filter((word) => word !== '');

/**
 * The name of a command, made from its operation: `listDiscountCustomers` with the tag Discounts becomes `discounts
 * list-customers`.
 */
export function commandName({ operationId: id, tags }: Pick<ApiOperation, 'operationId' | 'tags'>): string {
  const [tag = ''] = tags;
  if (names[id] !== undefined) return names[id];
  const known = tag.replace('API', 'Api');
  const noun = nouns[tag] ?? wordsOf(known).join('-');
  const inNoun = wordsOf(known).map(singular);
  const [verb = '', ...others] = wordsOf(id);
  return `${noun} ${[verb, ...others.filter((word) => !inNoun.includes(singular(word)))].join('-')}`;
}

/**
 * The name of the object that a path parameter identifies: `{price_id}` is a price, and the id in `/api-keys/{id}` is
 * that of a key.
 */
export function placeWord({ path }: Pick<ApiOperation, 'path'>, parameter: string): string {
  const before = path.split('/').find((_, at, parts) => parts[at + 1] === `{${parameter}}`) ?? '';
  const [named = ''] = parameter === 'id' ? wordsOf(before).slice(-1) : [parameter.replace(/_id$/, '')];
  return singular(named);
}

/** The path with the typed values in place of its parameters. */
export function filledPath({ path }: Pick<ApiOperation, 'path'>, words: readonly string[]): string {
  let at = 0;
  return path.replace(/\{\w+\}/g, (parameter) => {
    const word = words[at++] ?? '';
    if (word === '' || word === '.' || word === '..') throw new UsageError(`"${word}" is not the id of ${parameter}.`);
    return encodeURIComponent(word);
  });
}
